/**
 * What the desktop app's main process and the process of its bridge say to each other, over one message port. Both ends
 * check each message; one of another form is left out with a line in the log.
 *
 *     main ──start, question, answer, log, taken──► bridge's process
 *     main ◄──ready, change, app settings, question, answer── bridge's process
 */
import { z } from 'zod';
import { consoleChangeSchema, fileRequestSchema } from './console/api.ts';
import { appSettingsSchema } from './console/settings.ts';
import { appFaultSchema } from './console/state.ts';
import { updateStateSchema } from './console/updates.ts';
import { updateSettingsSchema } from './configuration.ts';
import { logLevelSchema } from './log.ts';

const id = z.number().int().positive();
const sealed = z.string().max(100_000);

/** Changes that the bridge's process sends before it waits for main to take some: main may be held up. */
export const maxChangesUnderWay = 64;
/** The longest piece of a file that one message carries, in bytes. */
export const maxPieceBytes = 256 * 1024;

const answer = z.object({
  kind: z.literal('answer'),
  id,
  answer: z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value: z.unknown() }),
    z.object({ ok: z.literal(false), message: z.string().max(10_000) }),
  ]),
});

/** What main may ask of the bridge's process. */
const bridgeQuestionSchema = z.discriminatedUnion('ask', [
  /** A method of the console; checked by the host, by the form that belongs to the name. */
  z.object({ ask: z.literal('invoke'), name: z.string().max(40), request: z.unknown() }),
  /** Answered with `madeFileSchema`. */
  z.object({ ask: z.literal('make_file'), request: fileRequestSchema }),
  /** The next piece of a file; answered with `filePieceSchema`. */
  z.object({ ask: z.literal('file_piece'), file: id }),
  /** Nobody wants the rest. */
  z.object({ ask: z.literal('drop_file'), file: id }),
  z.object({ ask: z.enum(['suspend', 'resume']) }),
  /** Whether its event loop still turns. */
  z.object({ ask: z.literal('ping') }),
  /** Lets the operation on the terminal end, within bounds, and closes everything. The process ends after the answer. */
  z.object({ ask: z.literal('stop') }),
]);
export type BridgeQuestion = z.infer<typeof bridgeQuestionSchema>;

export const madeFileSchema = z.object({
  file: id,
  name: z.string().max(200),
  mediaType: z.string().max(100),
});
/** Null: that was all. */
export const filePieceSchema = z.instanceof(Uint8Array).nullable();

/** What the bridge's process may ask of main: the system's key store is only there. */
const appQuestionSchema = z.discriminatedUnion('ask', [
  /** Answered with `sealedSecretSchema`. */
  z.object({ ask: z.literal('seal'), secret: z.string().max(10_000) }),
  /** Answered with the secret, or with null where it cannot be opened here. */
  z.object({ ask: z.literal('open'), sealed }),
]);
export type AppQuestion = z.infer<typeof appQuestionSchema>;

export const sealedSecretSchema = z.object({ sealed, kind: z.enum(['system', 'file']) });
export const openedSecretSchema = z.string().max(10_000).nullable();

/** `HostOptions` as far as main decides them. */
const startSchema = z.object({
  kind: z.literal('start'),
  sources: z.object({
    environment: z.record(z.string(), z.string()),
    currentFolder: z.string(),
    defaultDataDir: z.string(),
  }),
  /** Of the whole computer; it need not exist. Null: none is looked for. */
  provisionFile: z.string().nullable(),
  version: z.string(),
  /** How secrets are kept on this computer, as far as that is known without asking its key store. */
  secrets: z.enum(['system', 'file']),
  /** What ended the one before; null: nothing did. */
  fault: appFaultSchema.nullable(),
  /** The computer sleeps, or is about to: the line stays closed. */
  suspended: z.boolean(),
});

export const toBridgeSchema = z.discriminatedUnion('kind', [
  startSchema,
  z.object({ kind: z.literal('question'), id, question: bridgeQuestionSchema }),
  answer,
  /** A line of main, for the one log. */
  z.object({
    kind: z.literal('log'),
    level: logLevelSchema,
    message: z.string().max(10_000),
    fields: z.record(z.string(), z.unknown()),
  }),
  /** What is known of newer versions, for the console; null: nothing is asked. */
  z.object({ kind: z.literal('update'), update: updateStateSchema.nullable() }),
  /** So many changes have arrived. */
  z.object({ kind: z.literal('taken'), changes: z.number().int().positive() }),
]);
export type ToBridge = z.infer<typeof toBridgeSchema>;

export const toAppSchema = z.discriminatedUnion('kind', [
  /** It listens to questions. The bridge itself may take longer. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('change'), change: consoleChangeSchema }),
  /** At the start, and after each change that was saved. */
  z.object({ kind: z.literal('app_settings'), settings: appSettingsSchema }),
  /** The same of the settings `updates`, which main carries out. */
  z.object({ kind: z.literal('update_settings'), settings: updateSettingsSchema }),
  z.object({ kind: z.literal('question'), id, question: appQuestionSchema }),
  answer,
]);
export type ToApp = z.infer<typeof toAppSchema>;
