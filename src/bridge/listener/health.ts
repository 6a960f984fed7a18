/** `GET /health`: can a card be taken now? It asks the terminal nothing and tells no references. */
import { z } from 'zod';
import { protocolNameSchema } from '../../contract/protocols.ts';
import { terminalConnectionSchema, type TerminalConnection } from '../../contract/terminal.ts';
import type { PaymentsStatus } from '../payments/index.ts';
import { terminalHeader } from '../../contract/terminal-name.ts';
import { respondJson, respondRefusal } from './responses.ts';
import { heldElsewhere, type ListenerTerminal } from './terminal-table.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './listener-context.ts';
import { countMeanings } from './metrics.ts';

const stateSchema = {
  terminal: z.object({
    connection: terminalConnectionSchema,
    line: z.string(),
    protocol: protocolNameSchema.nullable(),
    terminal_id: z.string().nullable(),
    simulated: z.boolean(),
  }),
  journal: z.object({ writable: z.boolean() }),
  in_doubt: z.number().int().meta({ description: countMeanings.inDoubt }),
  discrepancies: z.number().int().meta({ description: countMeanings.discrepancies }),
};

const terminalHealthSchema = z
  .object({
    name: z.string().meta({ description: 'As the header x-terminal has it.' }),
    success: z.boolean(),
    message: z.string(),
    ...stateSchema,
  })
  .meta({ id: 'TerminalHealth' });

export const healthResponseSchema = z
  .object({
    success: z.boolean().meta({ description: 'A card can be taken, or one is being taken.' }),
    message: z.string(),
    version: z.string(),
    listener: z.object({ listening: z.literal(true), port: z.number().int().nullable() }),
    ...stateSchema,
    terminals: z.array(terminalHealthSchema).optional().meta({
      description:
        'Each terminal, where there are several and the request names none; then `success` is of all.',
    }),
  })
  .meta({ id: 'HealthAnswer' });

/** Sentences of our own, where the state's own text would say nothing more or might name a payment. */
const connectionMessages: Record<TerminalConnection, string> = {
  stopped: 'The bridge does not use its terminal.',
  connecting: 'The bridge is connecting to the terminal.',
  preparing: 'The terminal is connected and is being prepared.',
  ready: 'Ready.',
  operating: 'The terminal is at work.',
  recovering: 'The terminal is connected, but not ready yet.',
  attention: 'The terminal needs attention; the log and the console say what to do.',
  lost: 'The terminal cannot be reached. Check its cable and its power.',
};

type HealthTerminal = Pick<ListenerTerminal, 'name' | 'retired'> & {
  payments: Pick<ListenerTerminal['payments'], 'status' | 'salesHeld'>;
};

export function healthRoute(context: ListenerContext) {
  const { terminals } = context;
  const health = (terminal: ListenerTerminal) =>
    healthOf(terminal, heldElsewhere(terminals.all, terminal.name));
  return (request: ListenerRequest, response: ListenerResponse): void => {
    response.locals.requestContext.path = '/health';
    const named = request.headers[terminalHeader];
    const choice = terminals.choose(named === undefined ? undefined : String(named));
    if (!choice.ok) return respondRefusal(context, response, choice.refusal);
    const common = { version: context.version, listener: { listening: true, port: context.port() } };
    const { name: _name, ...state } = health(choice.value);
    if (!terminals.several || named !== undefined)
      return respondJson(context, response, state.success ? 200 : 503, { ...state, ...common });
    // Whoever watches the bridge must not miss what waits for a person on another terminal than the main one.
    const all = terminals.all.map(health);
    const success = all.every((one) => one.success);
    const telling = all.filter((one) => !one.success || one.discrepancies > 0);
    respondJson(context, response, success ? 200 : 503, {
      ...state,
      ...common,
      success,
      message: telling.length === 0 ? state.message : telling.map(namedMessage).join(' '),
      in_doubt: sum(all.map((one) => one.in_doubt)),
      discrepancies: sum(all.map((one) => one.discrepancies)),
      terminals: all,
    });
  };
}

/** `heldBy` is the name of another terminal that keeps every new payment from this one, or null. */
export function healthOf({ name, payments, retired }: HealthTerminal, heldBy: string | null) {
  const status = payments.status();
  const { terminal, journal, inDoubt, discrepancies } = status;
  const salesHeld = payments.salesHeld();
  // Nobody expects one that is gone from the configuration to be there; what is open in its journal still counts.
  const usable = retired || (isUsable(terminal) && heldBy === null);
  return {
    name,
    success: usable && journal.writable && inDoubt === 0 && !salesHeld,
    message: stateMessage(status, { salesHeld, heldBy, retired }) + discrepancyMessage(discrepancies),
    terminal: {
      connection: terminal.connection,
      line: terminal.line,
      protocol: terminal.terminal?.protocol ?? null,
      terminal_id: terminal.terminal?.terminalId ?? null,
      simulated: terminal.simulated,
    },
    journal: { writable: journal.writable },
    in_doubt: inDoubt,
    discrepancies,
  };
}

function namedMessage({ name, message }: { name: string; message: string }): string {
  return `Terminal "${name}": ${message}`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function isUsable({ connection }: PaymentsStatus['terminal']): boolean {
  return connection === 'ready' || connection === 'operating';
}

function stateMessage(
  status: PaymentsStatus,
  { salesHeld, heldBy, retired }: { salesHeld: boolean; heldBy: string | null; retired: boolean },
): string {
  const { inDoubt, journal } = status;
  if (!journal.writable) return 'The journal cannot be written, so no payment starts.';
  if (inDoubt > 0) {
    const what = inDoubt === 1 ? 'One operation is' : `${inDoubt} operations are`;
    return retired
      ? `${what} in doubt, and the terminal is no longer in the configuration: nothing asks it, and if it was renamed, it takes payments meanwhile.`
      : `${what} in doubt, so no payment starts before that is decided.`;
  }
  if (salesHeld)
    return 'The journal was repaired with a loss, so no payment starts before a person has seen it.';
  if (heldBy !== null && !retired)
    return `The journal of the terminal "${heldBy}" may miss payments, so no new payment starts here before a person has seen to it.`;
  return terminalMessage(status);
}

/** The real reason why the terminal is not ready; this path needs no token, so it names no payment. */
function terminalMessage({ terminal, currentOperation }: PaymentsStatus): string {
  const { connection, text } = terminal;
  const reference = currentOperation?.reference ?? null;
  const tells = text !== '' && (reference === null || !text.includes(reference));
  return isUsable(terminal) || !tells ? connectionMessages[connection] : text;
}

function discrepancyMessage(count: number): string {
  if (count === 0) return '';
  const what = count === 1 ? 'One discrepancy has' : `${count} discrepancies have`;
  return ` ${what} to be looked at by a person.`;
}
