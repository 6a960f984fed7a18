/**
 * All methods that the console may invoke, and all changes that it is sent. Two transports carry them: Electron's IPC and
 * the headless console's own loopback port. Both ends check: the host the request, the window the result.
 *
 *     window ──invoke(name, request)──► transport ──► host        result: a value, or a refusal with a code
 *     window ◄──change─────────────────  transport ◄── host
 */
import { z } from 'zod';
import { discrepancyViewSchema, maxShownDiscrepancies } from '../discrepancy.ts';
import { errorCodeSchema, type Result } from '../errors.ts';
import { terminalCheckSchema } from '../in-doubt.ts';
import { resolutionSchema } from '../operation.ts';
import {
  daySummarySchema,
  paymentFilterSchema,
  paymentOrderSchema,
  daySpanSchema,
} from '../payment-queries.ts';
import {
  decideMoneyRequestSchema,
  maxMoneyNotes,
  moneyOfBatchSchema,
  moneyRequestSchema,
  moneyResponseSchema,
  keepStatementRequestSchema,
} from './batch-money.ts';
import { diagnosisSchema } from './diagnosis.ts';
import { ofTerminal } from './of-terminal.ts';
import { shutOutSchema } from './page-access.ts';
import { person } from './person.ts';
import {
  logFilterSchema,
  logHistogramRequestSchema,
  logHistogramSchema,
  logLineSchema,
  logRequestSchema,
  logResponseSchema,
} from '../log.ts';
import {
  batchesResponseSchema,
  batchesRequestSchema,
  paymentDetailSchema,
  paymentsResponseSchema,
  paymentsRequestSchema,
  paymentTotalsRequestSchema,
  paymentTotalsResponseSchema,
  paymentViewSchema,
  receiptSchema,
} from './payments.ts';
import { batchReportSchema, dayReportRequestSchema, dayReportSchema } from './reports.ts';
import {
  connectionTestRequestSchema,
  connectionTestSchema,
  posTokenSchema,
  serialPortSchema,
  terminalSearchSchema,
  settingsSchema,
  settingsViewSchema,
} from './settings.ts';
import { consoleStateSchema } from './state.ts';

const nothing = z.object({});
const reference = z.string().min(1).max(40);

/** Each method with the schema of its request and of its response. */
export const consoleMethods = {
  state: { request: nothing, response: consoleStateSchema },
  today: { request: daySpanSchema.safeExtend(ofTerminal), response: daySummarySchema },
  payments: { request: paymentsRequestSchema, response: paymentsResponseSchema },
  paymentTotals: { request: paymentTotalsRequestSchema, response: paymentTotalsResponseSchema },
  payment: { request: z.object({ transactionId: z.string().max(60) }), response: paymentDetailSchema },
  receipt: { request: z.object({ transactionId: z.string().max(60) }), response: receiptSchema },
  /** A person prints it or saves it now; from now on it is a copy. */
  receiptPrinted: { request: z.object({ transactionId: z.string().max(60) }), response: nothing },
  dayReport: { request: dayReportRequestSchema, response: dayReportSchema },
  batchReport: { request: z.object({ operationId: z.string().max(60) }), response: batchReportSchema },
  batches: { request: batchesRequestSchema, response: batchesResponseSchema },
  /** Where the money of the closed batches is, as it was found last. */
  money: { request: moneyRequestSchema, response: moneyResponseSchema },
  moneyOfBatch: { request: z.object({ batchId: z.string().max(100) }), response: moneyOfBatchSchema },
  log: { request: logRequestSchema, response: logResponseSchema },
  logHistogram: { request: logHistogramRequestSchema, response: logHistogramSchema },
  /** Open discrepancies of one terminal beyond those of the state: those after this `seq`, oldest first. */
  discrepancies: {
    request: z.object({ after: z.number().int().min(0), ...ofTerminal }),
    response: z.object({ discrepancies: z.array(discrepancyViewSchema).max(maxShownDiscrepancies) }),
  },

  /** Only looks, at what the bridge knows and at the computer around it; nothing goes to the terminal. */
  diagnosis: { request: z.object(ofTerminal), response: diagnosisSchema },

  startListener: { request: nothing, response: nothing },
  stopListener: { request: nothing, response: nothing },
  /** `payment` is null when it was withdrawn before it had started. */
  cancelPayment: {
    request: z.object({ reference, ...ofTerminal }),
    response: z.object({ payment: paymentViewSchema.nullable() }),
  },
  voidPayment: {
    request: z.object({ reference, ...ofTerminal }),
    response: z.object({ payment: paymentViewSchema }),
  },
  /** A payment as a POS would ask for it, on the simulator alone; refused with `method_not_allowed` on a terminal. */
  testPayment: {
    request: z.object({ amountMinor: z.number().int().min(1).max(99_999_999), ...ofTerminal }),
    response: z.object({ payment: paymentViewSchema }),
  },
  submitBatch: { request: z.object(ofTerminal), response: z.object({ text: z.string() }) },
  /**
   * Has the terminal asked again now, and waits for what comes of it: `terminalCheckWaitMs` at most. Where none is named,
   * all that have something in doubt are asked, and one of those that did not answer is told.
   */
  checkTerminal: { request: z.object(ofTerminal), response: terminalCheckSchema },
  resolve: {
    request: z.object({
      operationId: z.string().max(60),
      resolution: resolutionSchema,
      ...person,
      /** The person states it; see `InDoubtView.terminalSeenIdle`. */
      terminalUnreachable: z.boolean().optional(),
    }),
    response: nothing,
  },
  /** Whose money entries are, or are not: for each of these batches. It counts when the money is looked for again. */
  decideMoney: { request: decideMoneyRequestSchema, response: nothing },
  /** Looks for the money now, in the bank's statements and at the remote service. `notes`: what was left out of them. */
  lookForMoney: { request: nothing, response: z.object({ notes: z.array(z.string()).max(maxMoneyNotes) }) },
  /** Adds a bank's statement (camt.053) to those that the money is looked for in. */
  keepStatement: {
    request: keepStatementRequestSchema,
    /** `isNew`: it was not there yet. */
    response: z.object({ name: z.string(), isNew: z.boolean() }),
  },
  acknowledge: { request: z.object({ discrepancyId: z.string().max(60), ...person }), response: nothing },

  /** A new version: now, as soon as nothing is on the terminal, whatever the hours; or some hours later. */
  update: { request: z.object({ action: z.enum(['install', 'later']) }), response: nothing },

  settings: { request: nothing, response: settingsViewSchema },
  /** Refused with `terminal_busy` while an operation is on the terminal, if the change needs another bridge. */
  saveSettings: { request: settingsSchema, response: settingsViewSchema },
  allowOrigin: { request: z.object({ origin: z.string().max(300) }), response: settingsViewSchema },
  ports: { request: nothing, response: z.object({ ports: z.array(serialPortSchema) }) },
  /** Looks for terminals at the serial ports and, if asked, in the local network. Refused while a payment runs. */
  findTerminals: { request: z.object({ network: z.boolean() }), response: terminalSearchSchema },
  /** How far the last search is. */
  terminalSearch: { request: nothing, response: terminalSearchSchema },
  stopSearch: { request: nothing, response: terminalSearchSchema },
  /** The device that is at the terminal's port now is meant, although it is another one than before. */
  acceptDevice: { request: z.object(ofTerminal), response: nothing },
  testConnection: { request: connectionTestRequestSchema, response: connectionTestSchema },
  tokens: { request: nothing, response: z.object({ tokens: z.array(posTokenSchema) }) },
  /** The token is shown only this once. */
  createToken: { request: z.object({ name: z.string().max(60) }), response: z.object({ token: z.string() }) },
  removeToken: { request: z.object({ name: z.string().max(60) }), response: nothing },
} as const;

export type MethodName = keyof typeof consoleMethods;
export const methodNames = Object.keys(consoleMethods) as MethodName[];
export type RequestOf<N extends MethodName> = z.infer<(typeof consoleMethods)[N]['request']>;
export type ResponseOf<N extends MethodName> = z.infer<(typeof consoleMethods)[N]['response']>;

/** A method was refused. `code` is one of the bridge's own, or one of these that only the console has. */
export const consoleRefusalSchema = z.object({
  code: z.union([
    errorCodeSchema,
    z.enum([
      'no_bridge',
      'settings_fixed',
      'settings_not_saved',
      'decision_not_kept',
      'money_not_looked_for',
      'statement_not_kept',
      'not_connected',
    ]),
    shutOutSchema,
  ]),
  /** A sentence (English) that says what to do; the window prefers its own message for `code`. */
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ConsoleRefusal = z.infer<typeof consoleRefusalSchema>;
export type ConsoleResult<T> = Result<T, ConsoleRefusal>;

/** Files that the host makes, but for `page_pdf`: the masked zip for support, log lines as JSON Lines, tables as CSV. */
export const fileRequestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('support_bundle') }),
  z.object({ kind: z.literal('log'), filter: logFilterSchema }),
  z.object({
    kind: z.literal('payments'),
    filter: paymentFilterSchema,
    /** As in `paymentsRequestSchema`. */
    order: paymentOrderSchema.optional(),
    ...ofTerminal,
  }),
  z.object({ kind: z.literal('day_report'), ...dayReportRequestSchema.shape }),
  z.object({ kind: z.literal('batch_report'), operationId: z.string().max(60) }),
  /** All that was found last, as `tillbridge reconcile --csv` prints it. */
  z.object({ kind: z.literal('money') }),
  /** What the window shows now, as paper (PDF). Only the desktop app makes it; `name` is without its ending. */
  z.object({ kind: z.literal('page_pdf'), name: z.string().regex(/^[\p{L}\p{N}._-]{1,100}$/u) }),
]);
export type FileRequest = z.infer<typeof fileRequestSchema>;

/** Sent by the host by itself, in order. A window that comes late or comes back invokes `state` first. */
export const consoleChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: consoleStateSchema }),
  /** A payment is new or has changed. */
  z.object({ kind: z.literal('payment'), payment: paymentViewSchema }),
  /** A batch has begun or changed. */
  z.object({ kind: z.literal('batch'), onTerminal: z.string().optional() }),
  /** Where the money is was looked for again, somebody has decided, or the rules have changed. */
  z.object({ kind: z.literal('money') }),
  /** The newest lines, oldest first; `last` may be further than these when more came than one change carries. */
  z.object({ kind: z.literal('log'), lines: z.array(logLineSchema).max(500), last: z.number().int() }),
  z.object({ kind: z.literal('settings'), view: settingsViewSchema }),
]);
export type ConsoleChange = z.infer<typeof consoleChangeSchema>;

/** What the host offers to a transport. */
export interface ConsoleService {
  /** `request` is checked here: a transport may hand on what it got. Never rejects. */
  invoke(name: string, request: unknown): Promise<ConsoleResult<unknown>>;
  subscribe(listener: (change: ConsoleChange) => void): () => void;
  /** The name of the file and its content, in pieces. Rejects when it cannot be made. */
  makeFile(
    request: FileRequest,
  ): Promise<{ name: string; mediaType: string; content: AsyncIterable<Uint8Array> }>;
}

export const savedFileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), name: z.string() }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type SavedFile = z.infer<typeof savedFileSchema>;

/** What the window is given by its transport, whichever it is. */
export interface ConsoleTransport {
  /** Gives a `ConsoleResult`; rejects when nobody answers (a lost connection). */
  invoke(name: MethodName, request: unknown): Promise<unknown>;
  /**
   * `onConnection` is called when the connection is lost and when it is there again; a lost one comes back by itself.
   * `late`: there is no stream for this window, and changes come some seconds late.
   */
  subscribe(
    listener: (change: unknown) => void,
    onConnection: (connected: boolean, late?: boolean) => void,
  ): () => void;
  /** Asks the person where to save, or lets the browser do so. `saved` has the file's name. */
  save(request: FileRequest): Promise<SavedFile>;
  /** The person wants the app to quit, and is asked first where something is under way. Only in the desktop's window. */
  quit?: () => void;
}

/** What became of a notification that was shown to try it. */
export const triedNotificationSchema = z.enum(['shown', 'refused']);
export type TriedNotification = z.infer<typeof triedNotificationSchema>;

/** What the desktop's preload gives to the window, as `window.tillbridge`. Both ends check what comes through it. */
export interface PreloadApi {
  /** Gives a `ConsoleResult`. */
  invoke(name: string, request: unknown): Promise<unknown>;
  /** Calls with each `ConsoleChange`; the result stops that. */
  onChange(listener: (change: unknown) => void): () => void;
  /** Calls with each place of the console that the app wants shown: the part of the address behind `#`, with it. */
  onGoTo(listener: (place: unknown) => void): void;
  /** Shows the console's own window at this place. For the small one. */
  show(place: string): Promise<unknown>;
  /** Shows a notification and gives a `TriedNotification`. */
  tryNotification(): Promise<unknown>;
  /** Takes a `FileRequest` and gives what `ConsoleTransport.save` gives. */
  save(request: unknown): Promise<unknown>;
  /** Quits the app, after asking where something is under way. */
  quit(): Promise<unknown>;
}
