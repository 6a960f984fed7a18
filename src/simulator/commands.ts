/** Which part of the terminal serves which command; everything else is 84 83 (sheet section 4). */
import type { Exchange } from './conversation.ts';
import { serveEndOfDay, serveTotals } from './end-of-day.ts';
import {
  serveDiagnosis,
  serveLogOff,
  serveRegistration,
  serveRepeatReceipt,
  serveStatusEnquiry,
} from './enquiries.ts';
import { servePayment } from './payment.ts';
import { serveReversal } from './reversal.ts';
import type { Terminal } from './terminal.ts';

type Serve = (terminal: Terminal, exchange: Exchange) => Promise<void>;

const commands: Readonly<Record<string, Serve>> = {
  '0501': serveStatusEnquiry,
  '0600': serveRegistration,
  '0601': servePayment,
  '0602': serveLogOff,
  '0610': serveTotals,
  '0620': serveRepeatReceipt,
  '0630': serveReversal,
  '0650': serveEndOfDay,
  '0670': serveDiagnosis,
  // Without a payment there is nothing to abort, which is as good as aborted.
  '06b0': async (_terminal, exchange) => exchange.endWithAnswer('8000'),
};

export async function serveCommand(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { ctrl, problems } = exchange.command;
  const serve = commands[ctrl];
  if (serve === undefined || problems.length > 0) {
    terminal.log.debug('a command was not understood', { ctrl, problems });
    return exchange.endWithAnswer('8483');
  }
  const hasContainer = exchange.command.bitmaps.some(({ tag }) => tag === '06');
  const { refusesContainers } = terminal.dialect;
  if (hasContainer && refusesContainers !== null) {
    return exchange.endWithAnswer(ctrl === '0600' ? refusesContainers : '8483');
  }
  // A container in any command allows the terminal to send containers, too (sheet section 7).
  if (hasContainer && ctrl !== '0600') {
    terminal.registration = { ...terminal.registration, tlvAllowed: true };
  }
  await serve(terminal, exchange);
}
