/** What the window shows at all times: one snapshot, small enough to be sent again whole with each change. */
import { z } from 'zod';
import { currencySchema } from '../money.ts';
import { discrepancyViewSchema, maxShownDiscrepancies } from '../discrepancy.ts';
import { inDoubtSchema } from '../in-doubt.ts';
import { operationKindSchema, operationOutcomeSchema } from '../operation.ts';
import {
  progressStepSchema,
  requiredActionSchema,
  terminalConnectionSchema,
  terminalIdentitySchema,
} from '../terminal.ts';
import { paymentViewSchema } from './payments.ts';
import { updateStateSchema } from './updates.ts';

/** When what has failed is tried again by itself; left out: a person has to do something first. */
const nextTryAtSchema = z.string().max(40).optional();

export const listenerStateSchema = z.discriminatedUnion('kind', [
  /** `addresses` as a caller uses them: "http://127.0.0.1:8080". */
  z.object({ kind: z.literal('on'), port: z.number().int(), addresses: z.array(z.string()) }),
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('stopping') }),
  /** It should be on and cannot: `port_in_use` is told apart, because a person can do something about it. */
  z.object({
    kind: z.literal('failed'),
    code: z.enum(['port_in_use', 'port_forbidden', 'address_unknown', 'other']),
    port: z.number().int(),
    text: z.string(),
    nextTryAt: nextTryAtSchema,
  }),
]);
export type ListenerState = z.infer<typeof listenerStateSchema>;

const terminalStateSchema = z.object({
  connection: terminalConnectionSchema,
  /** Of a terminal that needs attention: what a person must do. Absent: not known. */
  requiredAction: requiredActionSchema.optional(),
  /** The bridge's own sentence (English): what it is waiting for, what is wrong, what to do. */
  text: z.string(),
  /** `serial:/dev/ttyUSB0`, `tcp:10.0.0.5:20007`, `memory:simulator`. */
  line: z.string(),
  terminal: terminalIdentitySchema.nullable(),
  simulated: z.boolean(),
  progress: z.string().nullable(),
  progressStep: progressStepSchema.nullable(),
  /** When bytes last came from it; null: not since the start. */
  lastHeardAt: z.string().nullable(),
});
export type TerminalState = z.infer<typeof terminalStateSchema>;

/** The operation on the terminal now. */
const currentOperationSchema = z.object({
  operationId: z.string(),
  kind: operationKindSchema,
  reference: z.string().nullable(),
  amountMinor: z.number().int().nullable(),
  currency: currencySchema,
  startedAt: z.string(),
  cancelRequested: z.boolean(),
});
export type CurrentOperation = z.infer<typeof currentOperationSchema>;

/** How an operation ended, and when, by the host's clock. The outcome tells its kind, too. */
const lastEndedSchema = z.object({
  operationId: z.string(),
  outcome: operationOutcomeSchema,
  at: z.string(),
});
export type LastEnded = z.infer<typeof lastEndedSchema>;

/** What the window shows of one terminal; what is open on it is with the doubts and discrepancies of all. */
const ofOneTerminal = {
  journal: z.object({ writable: z.boolean(), text: z.string(), damaged: z.boolean() }),
  currency: currencySchema,
  currentOperation: currentOperationSchema.nullable(),
  /** One of its discrepancies keeps every sale from starting. */
  salesHeld: z.boolean(),
  /** The name of another terminal whose journal may miss payments: until that is cleared up, no new one starts here. */
  heldElsewhere: z.string().nullable(),
  /** The payment that ended last; null when there has been none. */
  lastPayment: paymentViewSchema.nullable(),
  /** The operation that ended last since this bridge started: if it was no batch close, `lastPayment` is what it was about. */
  lastEnded: lastEndedSchema.nullable(),
};

const otherTerminalStateSchema = z.object({
  name: z.string(),
  /** It is in the configuration no more, and only its journal is read. */
  retired: z.boolean(),
  terminal: terminalStateSchema,
  ...ofOneTerminal,
});
export type OtherTerminalState = z.infer<typeof otherTerminalStateSchema>;

const blockedOriginSchema = z.object({ origin: z.string(), at: z.string() });

/** Part of the desktop app ended by a fault, and was started again or will be. */
export const appFaultSchema = z.object({
  /** `bridge`: the process that drives the terminal. `app`: window and tray, and the bridge was stopped for that. */
  part: z.enum(['bridge', 'app']),
  at: z.string(),
  /** What is known of it (English), for support. */
  text: z.string().max(2_000),
  /** Since when it runs again; null: not yet. */
  runsSince: z.string().nullable(),
});
export type AppFault = z.infer<typeof appFaultSchema>;

export const consoleStateSchema = z.object({
  version: z.string(),
  /** Where this console runs: the desktop's window, or a page of the headless bridge. */
  host: z.enum(['desktop', 'headless']),
  /**
   * `first_start`: no terminal has been chosen yet, nothing runs. `starting`, `running`, `stopped`: the bridge.
   * `failed`: it could not be started, and `text` says why and what to do (a damaged journal is `running`).
   */
  bridge: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['first_start', 'starting', 'running', 'stopped']) }),
    z.object({ kind: z.literal('failed'), text: z.string(), nextTryAt: nextTryAtSchema }),
  ]),
  listener: listenerStateSchema,
  /** The main one; null while no bridge runs. */
  terminal: terminalStateSchema.nullable(),
  ...ofOneTerminal,
  /** Those beside the main one; left out where there are none. */
  otherTerminals: z.array(otherTerminalStateSchema).optional(),
  /** On all terminals. */
  doubts: z.array(inDoubtSchema),
  /** What terminal and journal disagree about, without those that have been acknowledged: of each terminal the oldest. */
  discrepancies: z.array(discrepancyViewSchema).max(maxShownDiscrepancies),
  /** How many there are in all. */
  discrepancyCount: z.number().int(),
  /** While the simulator runs: so many operations are in doubt on the real terminal, whose journal is another one. */
  doubtsElsewhere: z.number().int(),
  /** The same of open discrepancies. */
  discrepanciesElsewhere: z.number().int(),
  /** Then also: the folders of the real terminals' journals that cannot be read; left out where there are none. */
  unreadableElsewhere: z.array(z.string()).optional(),
  /** Web pages that were refused because their origin is not allowed, newest first; at most 20. */
  blockedOrigins: z.array(blockedOriginSchema),
  /** The last fault that the desktop app has survived; left out when there was none. */
  fault: appFaultSchema.optional(),
  /** Ids of the batches whose money is overdue, as it was found last; left out where there are none. */
  overdueBatches: z.array(z.string()).optional(),
  /** What is known of newer versions; left out where nothing is asked. */
  update: updateStateSchema.optional(),
});
export type ConsoleState = z.infer<typeof consoleStateSchema>;

/** An operation with the name of its terminal, where that is not the main one. */
export type OperationOnTerminal = CurrentOperation & { onTerminal?: string };

/** What is on any of the terminals now, the main one first. */
export function currentOperations({
  currentOperation,
  otherTerminals = [],
}: ConsoleState): OperationOnTerminal[] {
  const elsewhere = otherTerminals.flatMap(({ name, currentOperation: operation }) =>
    operation === null ? [] : [{ ...operation, onTerminal: name }],
  );
  return currentOperation === null ? elsewhere : [currentOperation, ...elsewhere];
}

/** The state with what it has of one terminal in the place of the main one's; doubts and discrepancies are those of all. */
export function stateOfTerminal(state: ConsoleState, terminal: string): ConsoleState {
  const other = state.otherTerminals?.find(({ name }) => name === terminal);
  if (other === undefined) return state;
  const { name: _name, retired: _retired, ...ofTerminal } = other;
  return { ...state, ...ofTerminal };
}
