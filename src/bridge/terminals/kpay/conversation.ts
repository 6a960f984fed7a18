/**
 * A conversation with a terminal, in place of an open line: it begins with a sign-in that the terminal answers, whatever it
 * says, and lives until this side gives it up. A request without an answer does not end it, for it says nothing about the
 * next one; whoever polls the terminal gives it up when several polls in a row are in vain. The keys die with it.
 */
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Currency } from '../../../contract/money.ts';
import type { Log } from '../../../log/index.ts';
import type { DriverWatch, TerminalConnection } from '../terminal-driver.ts';
import { createKpayClient } from './client.ts';
import { createDriver } from './driver.ts';
import type { KpayTransport } from './transport.ts';
import { createWireTrace } from './wire-trace.ts';

export interface ConversationParts {
  appId: string;
  appSecret: string;
  transport: KpayTransport;
  currency: Currency;
  clock: Clock;
  chance: Chance;
  log: Log;
  /** Called with each answer, whatever it says. */
  onHeard?: () => void;
}

const newSignIn = 'The terminal asked for a new sign-in, as another one would.';

/** Rejects with the reason for people when the terminal does not answer. */
export async function openConversation(
  parts: ConversationParts,
  watch: DriverWatch,
  signal: AbortSignal,
): Promise<TerminalConnection> {
  const { clock, currency, log, onHeard = () => {} } = parts;
  const logMessage = createWireTrace(log, currency);
  let begun = false;
  const client = createKpayClient({
    ...parts,
    onNewKeys() {
      // A terminal that has forgotten the keys of the bridge may be another one, which never had them.
      const isWritten = !begun || watch.mayBeAnother(newSignIn);
      begun = true;
      return isWritten;
    },
    trace(message) {
      logMessage(message);
      if (message.direction === 'from_terminal') onHeard();
    },
  });
  const signedIn = await client.signIn(signal);
  // A refusal is an answer: the polls tell what to do about it.
  if (signedIn.kind !== 'answered') throw new Error(signedIn.reason);

  const ended = new AbortController();
  const driver = createDriver({ client, watch, clock, log, ended: ended.signal });
  return {
    driver,
    onClose: (handler) =>
      ended.signal.addEventListener('abort', () => handler('closed on this side'), { once: true }),
    get closed() {
      return ended.signal.aborted;
    },
    async close() {
      ended.abort();
      // What was on its way ends at once, without an answer.
      await client.idle();
    },
  };
}
