/**
 * What a bridge and its head office say to each other, over HTTP. The bridge asks, the office answers; nothing in here can
 * move money. A journal goes up as its own lines (those of `tillbridge journal export`), so the office can work out each
 * hash again.
 *
 * An office and a bridge may be some versions apart: both take fields that they do not know, and leave them alone. What
 * an older one could not even leave alone raises `officeProtocol`.
 */
import { z } from 'zod';
import { isTerminalName, mainTerminal } from './terminal-name.ts';

export const officePaths = {
  enrol: '/bridge/v1/enrol',
  heartbeat: '/bridge/v1/heartbeat',
  /** How far the office has a journal. */
  heads: (journal: JournalName) => `${journalPath(journal)}/heads`,
  /** Where a journal parts from what the office has. */
  place: (journal: JournalName) => `${journalPath(journal)}/place`,
  events: (journal: JournalName) => `${journalPath(journal)}/events`,
} as const;

/**
 * The version of all of this. A bridge says its own with each request, and the office the newest of its own with each
 * answer. Whoever says none is of the time before the header, which is version 1.
 */
export const officeProtocol = 1;
/** What an office of this version takes from bridges. It goes up two versions after the office that last needed it. */
export const oldestBridgeProtocol = 1;
export const protocolHeader = 'x-tillbridge-protocol';

/** A bridge has one journal for each terminal, and other ones for the simulators under the same names. */
export interface JournalName {
  terminal: string;
  simulated: boolean;
}

function journalPath({ terminal, simulated }: JournalName): string {
  return `/bridge/v1/journals/${simulated ? 'simulated' : 'live'}/${terminal}`;
}

export const journalTerminalSchema = z
  .string()
  .refine((name) => name === mainTerminal || isTerminalName(name), 'must be the name of a terminal');

/** Letters and digits that are not mistaken for each other, in groups of four; case and hyphens do not matter. */
export const enrolmentCodePattern = /^[A-HJ-NP-Z2-9]{4}(-[A-HJ-NP-Z2-9]{4}){3}$/;

export const enrolRequestSchema = z.object({
  code: z.string(),
  /** The computer's own name, for people. */
  computer: z.string().max(255),
  version: z.string().max(64),
  /**
   * The key that the bridge has made for itself. It asks again with the same one when the answer was lost, and the code
   * counts for it as before. Left out by an older bridge, which gets one that the office makes.
   */
  key: z
    .string()
    .regex(/^[\w-]{32,100}$/)
    .optional(),
});

export type EnrolRequest = z.infer<typeof enrolRequestSchema>;

export const enrolResponseSchema = z.object({
  bridgeId: z.uuid(),
  /** The bridge's own from now on, sent as `Authorization: Bearer`; it can be revoked at the office. */
  key: z.string(),
  shop: z.object({ id: z.uuid(), name: z.string() }),
  officeVersion: z.string(),
});
export type EnrolResponse = z.infer<typeof enrolResponseSchema>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A place in a chain of events: the event `seq` with its hash; `seq` 0 and 64 zeros are the place before the first. */
const chainPlaceSchema = z.object({ seq: z.number().int().min(0), hash: sha256Schema });
export type ChainPlace = z.infer<typeof chainPlaceSchema>;

/** The same, in one of the chains that the office has of a journal: more than one when a journal was restored or copied. */
export const knownPlaceSchema = chainPlaceSchema.extend({ chain: z.uuid() });
export type KnownPlace = z.infer<typeof knownPlaceSchema>;

export const headsResponseSchema = z.object({
  /** The end of each chain, the one that grew last first; empty where the office has nothing of this journal. */
  heads: z.array(knownPlaceSchema),
});

/** More than are needed for a journal of 2^60 events. */
export const maxPlacePoints = 64;
/**
 * Asked when none of the chains' ends is an event of the bridge's own journal. `points` are events of it: the newest, and
 * on from there each time twice as far back, the first one last.
 */
export const placeRequestSchema = z.object({ points: z.array(chainPlaceSchema).min(1).max(maxPlacePoints) });
export const placeResponseSchema = z.object({
  /** The newest of the points that the office has; null where it has none of them. */
  place: knownPlaceSchema.nullable(),
});

/**
 * A batch of events is gzipped JSON lines: this head, then the journal's own line of each event, in order and without a
 * gap, exactly as `tillbridge journal export` writes it: `{"seq":…,"at":"…","hash":"…","event":{…}}` without blanks, the
 * event in its canonical form, which the hash is made of.
 */
export const eventsType = 'application/x-ndjson';
export const batchHeadSchema = z.object({
  /** Null: the office has no chain that fits; then `after` is the place before the first event. */
  chain: z.uuid().nullable(),
  /** The first event of the batch follows on this one. */
  after: chainPlaceSchema,
});
export type BatchHead = z.infer<typeof batchHeadSchema>;

/** What such a line says. */
export const journalLineSchema = z.object({
  seq: z.number().int().min(1),
  at: z.string().regex(/^[\x20-\x7e]{1,64}$/),
  hash: sha256Schema,
  event: z.record(z.string(), z.unknown()),
});

/** What one request may hold: events, and bytes before they are compressed (a batch of one event may be longer). */
export const maxBatchEvents = 2_000;
export const maxBatchBytes = 4 * 1024 * 1024;

/**
 * The last event of the batch: the office has everything up to it, durable, and what it already had is not stored twice. A
 * bridge takes any other place than one of its own journal for trouble.
 */
export const eventsResponseSchema = knownPlaceSchema;

/** Every answer that is no success. */
export const officeRefusalSchema = z.object({
  error: z
    .enum([
      /** Fields are missing or wrong. */
      'invalid_request',
      /** The code is unknown, used or too old. */
      'code_unknown',
      /** The bridge's version of this protocol is too old or too new: one of both has to be updated. */
      'protocol_unknown',
      /** The key is unknown or revoked: nothing more is taken from this bridge until it is enrolled again. */
      'key_unknown',
      /** The batch does not follow on what the office has: ask for the heads again. */
      'place_unknown',
      /** An event does not fit its hash, or its place: all before it was kept, `seq` names it. */
      'chain_broken',
      /** The office cannot keep anything now; try again later. */
      'unavailable',
      'body_too_large',
      'not_found',
    ])
    // A newer office may have another one: its message still says what to do, and the bridge tries again later.
    .catch('unavailable'),
  message: z.string(),
  seq: z.number().int().optional(),
});
export type OfficeRefusal = z.infer<typeof officeRefusalSchema>;

/** The HTTP status of each. */
export const officeRefusalStatus: Record<OfficeRefusal['error'], number> = {
  invalid_request: 400,
  code_unknown: 403,
  protocol_unknown: 426,
  key_unknown: 401,
  place_unknown: 409,
  chain_broken: 422,
  unavailable: 503,
  body_too_large: 413,
  not_found: 404,
};

/** Sent every minute, and when something of it changes; the answer is empty. */
export const heartbeatSchema = z.object({
  version: z.string().max(64),
  /** The bridge's own clock (ISO 8601), from which the office tells how far it is off. */
  at: z.string().max(64),
  listener: z.object({ listening: z.boolean(), message: z.string().max(2_000) }),
  terminals: z
    .array(
      z.object({
        name: journalTerminalSchema,
        simulated: z.boolean(),
        protocol: z.string().max(64).nullable(),
        terminalId: z.string().max(128).nullable(),
        /** As `/health` has it; a text, because a newer bridge may know more states. */
        connection: z.string().max(64),
        /** It can take a card now, or is taking one. */
        ready: z.boolean(),
        message: z.string().max(2_000),
        journalWritable: z.boolean(),
        /** The newest event of its journal; left out by an older bridge, and where there is no journal. */
        lastSeq: z.number().int().min(0).optional(),
        inDoubt: z.number().int().min(0),
        discrepancies: z.number().int().min(0),
      }),
    )
    .max(256),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;
export const heartbeatEveryMs = 60_000;
