/** `GET /health`: can a card be taken now? It asks the terminal nothing and tells no references. */
import { z } from 'zod';
import {
  protocolNameSchema,
  terminalConnectionSchema,
  type TerminalConnection,
} from '../../contract/terminal.ts';
import { answerJson } from './answers.ts';
import type { ListenerContext, ListenerRequest, ListenerResponse } from './context.ts';

export const healthAnswerSchema = z
  .object({
    success: z.boolean().meta({ description: 'A card can be taken, or one is being taken.' }),
    message: z.string(),
    version: z.string(),
    listener: z.object({ listening: z.literal(true), port: z.number().int().nullable() }),
    terminal: z.object({
      connection: terminalConnectionSchema,
      line: z.string(),
      protocol: protocolNameSchema.nullable(),
      terminal_id: z.string().nullable(),
      simulated: z.boolean(),
    }),
    journal: z.object({ writable: z.boolean() }),
    in_doubt: z.number().int().meta({ description: 'Operations whose outcome nobody knows yet.' }),
  })
  .meta({ id: 'HealthAnswer' });

/** Sentences of our own: the terminal's state may name a payment, and this path needs no token. */
const connectionText: Record<TerminalConnection, string> = {
  stopped: 'The bridge does not use its terminal.',
  connecting: 'The bridge is connecting to the terminal.',
  preparing: 'The terminal is connected and is being prepared.',
  ready: 'Ready.',
  operating: 'The terminal is at work.',
  recovering: 'The bridge is finding out how the last operation ended.',
  attention: 'The terminal needs attention; the log and the console say what to do.',
  lost: 'The terminal cannot be reached. Check its cable and its power.',
};

export function healthRoute(context: ListenerContext) {
  return (_request: ListenerRequest, response: ListenerResponse): void => {
    const { exchange } = response.locals;
    exchange.path = '/health';
    const { terminal, journal, inDoubt } = context.payments.status();
    const usable = terminal.connection === 'ready' || terminal.connection === 'operating';
    const healthy = usable && journal.writable && inDoubt === 0;
    answerJson(context, exchange, response, healthy ? 200 : 503, {
      success: healthy,
      message: healthSentence(terminal.connection, journal.writable, inDoubt),
      version: context.version,
      listener: { listening: true, port: context.port() },
      terminal: {
        connection: terminal.connection,
        line: terminal.line,
        protocol: terminal.terminal?.protocol ?? null,
        terminal_id: terminal.terminal?.terminalId ?? null,
        simulated: terminal.simulated,
      },
      journal: { writable: journal.writable },
      in_doubt: inDoubt,
    });
  };
}

function healthSentence(connection: TerminalConnection, writable: boolean, inDoubt: number): string {
  if (!writable) return 'The journal cannot be written, so no payment starts.';
  if (inDoubt > 0) {
    const what = inDoubt === 1 ? 'One operation is' : `${inDoubt} operations are`;
    return `${what} in doubt, so no payment starts before that is decided.`;
  }
  return connectionText[connection];
}
