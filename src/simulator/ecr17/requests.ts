/** What each request does. A payment stands once the host has approved it, and its result is stored before it is sent. */
import type { Ecr17Message } from '../../bridge/terminals/ecr17/wire/index.ts';
import { scenarioOf, type Scenario } from '../scenarios.ts';
import {
  closeMessage,
  closeRefusalMessage,
  endAtOnce,
  endWithAnswer,
  resultMessage,
  sendTickets,
  statusMessage,
  totalsMessage,
} from './answers.ts';
import { draftRefusal, draftReversal, draftSale, draftSettlement } from './drafts.ts';
import type { Told } from './ledger.ts';
import { decide, type Decision } from './money-operation.ts';
import { terminalTime, type Exchange, type Terminal } from './terminal.ts';
import type { Result } from './terminal-memory.ts';
import { resultTickets, serviceTicket } from './tickets.ts';

interface Command {
  serve(terminal: Terminal, exchange: Exchange): Promise<void>;
  /** Why it gets NAK instead, for the log; null: it is carried out. */
  refusal?(terminal: Terminal, request: Ecr17Message): string | null;
  movesMoney?: true;
}

/** What it serves; all the rest gets NAK. */
export const commands: Readonly<Record<string, Command>> = {
  s: {
    serve: (terminal, exchange) =>
      endWithAnswer(terminal, exchange, statusMessage(terminal, terminalTime(terminal.clock).dateTime)),
  },
  G: { serve: serveLastResult, refusal: ({ memory }) => (memory.lastResult === null ? 'no result' : null) },
  P: { serve: servePayment, refusal: paymentRefusal, movesMoney: true },
  X: {
    serve: servePayment,
    refusal: (terminal, request) =>
      terminal.dialect.extended === 'refused' ? 'not offered' : paymentRefusal(terminal, request),
    movesMoney: true,
  },
  S: { serve: serveReversal, movesMoney: true },
  T: { serve: serveTotals },
  C: { serve: serveClose, movesMoney: true },
  E: { serve: serveWhereToPrint, refusal: ({ dialect }) => (dialect.printsOnTill ? null : 'not offered') },
  R: {
    serve: serveReprint,
    refusal: (terminal, request) => (ticketsOf(terminal, request) === null ? 'no ticket' : null),
  },
};

const failures = {
  declined: { code: '01', text: 'CARTA RIFIUTATA' },
  cancelled: { code: '01', text: 'OPERAZ. ANNULLATA' },
  noCard: { code: '05', text: 'CARTA NON INSERITA' },
  unknownTag: { code: '09', text: 'TAG SCONOSCIUTO' },
  notReversible: { code: '01', text: 'STORNO NON POSSIBILE' },
} as const;
type Failure = (typeof failures)[keyof typeof failures];

/** Of the totals: 16 digits. */
const maxTotalMinor = Number.MAX_SAFE_INTEGER;

function paymentRefusal({ memory }: Terminal, { values }: Ecr17Message): string | null {
  if (!/^\d{8}$/.test(values.amount ?? '') || Number(values.amount) === 0) return 'no amount';
  if (!/^[0-3]$/.test(values.paymentType ?? '')) return 'no payment type';
  return memory.totals().totalMinor + Number(values.amount) > maxTotalMinor ? 'the batch is full' : null;
}

async function servePayment(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { code, values } = exchange.request;
  const asked = code === 'P' ? 'P' : 'X';
  const amountMinor = Number(values.amount);
  const isExtended = asked === 'X' && terminal.dialect.extended === 'answered';
  const refuse = (failure: Failure, scenario?: Scenario) =>
    endWithRefusal(terminal, exchange, failure, isExtended ? 'extended' : 'plain', scenario);
  if (values.additionalData === '1') return refuse(failures.unknownTag);
  if (values.cardPresent === '1') return refuse(failures.noCard);

  const scenario = terminal.takeScenario(scenarioOf(amountMinor));
  const decision = await decide(terminal, exchange, scenario, true);
  if (decision === 'broken_off')
    return terminal.log.warn('a payment broke off before it was decided; nothing was charged');
  if (decision !== 'approved') return refuse(failures[decision], scenario);
  const sale = draftSale(terminal, amountMinor, asked);
  terminal.record(sale);
  return endWithResult(terminal, exchange, sale, sale.told ?? 'plain', scenario);
}

/** Only the last operation, of the open batch, and only if its STAN is the one that was named; zeros are any. */
async function serveReversal(terminal: Terminal, exchange: Exchange): Promise<void> {
  const refuse = (failure: Failure, scenario?: Scenario) =>
    endWithRefusal(terminal, exchange, failure, 'reversal', scenario);
  const { reversible } = terminal.memory;
  const { stan = '', additionalData } = exchange.request.values;
  if (additionalData === '1') return refuse(failures.unknownTag);
  if (reversible === null || (Number(stan) !== 0 && stan !== reversible.receipt_number))
    return refuse(failures.notReversible);

  const scenario = terminal.takeScenario('approved');
  // The card is presented again.
  const decision = await decide(terminal, exchange, scenario, true);
  if (decision === 'broken_off') return;
  if (decision !== 'approved') return refuse(failures[decision], scenario);
  const reversal = draftReversal(terminal, reversible, true);
  terminal.record(reversal);
  return endWithResult(terminal, exchange, reversal, 'reversal', scenario);
}

async function serveLastResult(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { lastResult } = terminal.memory;
  if (lastResult === null) throw new Error('there is no result');
  return endWithAnswer(terminal, exchange, resultMessage(terminal, lastResult, lastResult.told ?? 'plain'));
}

async function serveTotals(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { count, totalMinor } = terminal.memory.totals();
  terminal.serviceTicket = serviceTicket('TOTALI', count, totalMinor);
  return endOperation(terminal, exchange, totalsMessage(terminal, totalMinor), [terminal.serviceTicket]);
}

async function serveClose(terminal: Terminal, exchange: Exchange): Promise<void> {
  const scenario = terminal.takeScenario('approved');
  const decision: Decision = await decide(terminal, exchange, scenario, false);
  if (decision === 'broken_off') return;
  if (decision !== 'approved')
    return endOperation(terminal, exchange, closeRefusalMessage(terminal, 'SBILANCIO'), [], scenario);
  const settlement = draftSettlement(terminal);
  terminal.record(settlement);
  terminal.serviceTicket = serviceTicket('CHIUSURA', settlement.count, settlement.total_minor);
  const message = closeMessage(terminal, settlement.total_minor);
  return endOperation(terminal, exchange, message, [terminal.serviceTicket], scenario);
}

/** The ACK says it all, so the next request may follow at once. */
async function serveWhereToPrint(terminal: Terminal, exchange: Exchange): Promise<void> {
  terminal.printsOnTill = exchange.request.values.printOnEcr === '1';
  endAtOnce(terminal, exchange);
}

async function serveReprint(terminal: Terminal, exchange: Exchange): Promise<void> {
  const tickets = ticketsOf(terminal, exchange.request) ?? [];
  if (exchange.request.values.printOnEcr === '1')
    await sendTickets(terminal, exchange, tickets, () => endAtOnce(terminal, exchange));
}

function ticketsOf({ memory, serviceTicket: last }: Terminal, { values }: Ecr17Message): string[] | null {
  if (values.ticketType === '1') return last === null ? null : [last];
  return memory.lastResult === null ? null : resultTickets(memory.lastResult);
}

function endWithRefusal(
  terminal: Terminal,
  exchange: Exchange,
  failure: Failure,
  form: Told,
  scenario?: Scenario,
): Promise<void> {
  const refusal = draftRefusal(terminal, failure, form);
  terminal.record(refusal);
  return endWithResult(terminal, exchange, refusal, form, scenario);
}

function endWithResult(
  terminal: Terminal,
  exchange: Exchange,
  result: Result,
  form: Told,
  scenario?: Scenario,
): Promise<void> {
  const message = resultMessage(terminal, result, form);
  return endOperation(terminal, exchange, message, resultTickets(result), scenario);
}

/** Where to print is said for one operation. */
async function endOperation(
  terminal: Terminal,
  exchange: Exchange,
  message: Uint8Array,
  tickets: readonly string[],
  scenario?: Scenario,
): Promise<void> {
  const wasOnTill = terminal.printsOnTill;
  terminal.printsOnTill = false;
  return endWithAnswer(terminal, exchange, message, { scenario, tickets: wasOnTill ? tickets : [] });
}
