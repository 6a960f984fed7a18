/** What each request does: checks, customer, host, ledger, answer. A sale stands once the host has approved it. */
import { formatAmount } from '../../contract/money.ts';
import { fieldText, fieldType, type EdcCommandName } from '../../bridge/terminals/ecr-edc/wire/index.ts';
import { scenarioOf, type Scenario } from '../scenarios.ts';
import { endWithAnswer, refusal, saleFields } from './answers.ts';
import { issuerFor, issuers } from './cards.ts';
import type { ChargedEntry, LedgerEntry } from './ledger.ts';
import { terminalTime, type Exchange, type Terminal } from './terminal.ts';
import type { StoredSale } from './terminal-memory.ts';

type Handler = (terminal: Terminal, exchange: Exchange) => Promise<void>;

/** What it serves; it answers NA to what its profile has and this terminal has not. */
export const handlers: Readonly<Partial<Record<EdcCommandName, Handler>>> = {
  sale: serveSale,
  void: serveVoid,
  void_by_trace: serveVoid,
  settlement: serveSettlement,
  inquiry: serveInquiry,
  probe: (terminal, exchange) => endWithAnswer(terminal, exchange, {}),
};

/** Bytes that no receiver may take for anything: no STX, ACK or NAK among them. */
const garbage = Uint8Array.of(0x00, 0xff);
const pieceBytes = 3;

async function serveSale(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const amount = fieldText(request, fieldType.amount) ?? '';
  const amountMinor = /^\d{12}$/.test(amount) ? Number(amount) : 0;
  if (amountMinor === 0) return endWithAnswer(terminal, exchange, refusal('03', 'INVALID AMOUNT'));
  const scenario = terminal.takeScenario(scenarioOf(amountMinor));
  const decision = await decide(terminal, exchange, scenario);
  switch (decision) {
    case 'broken_off':
      return terminal.log.warn('a payment broke off before it was decided; nothing was charged');
    case 'cancelled':
      return endWithAnswer(terminal, exchange, refusal(terminal.dialect.cancelCode, 'TRANS CANCELLED'));
    case 'declined':
      return endWithAnswer(terminal, exchange, refusal('ND', 'DECLINED'), scenario);
    case 'approved': {
      const sale = draftSale(terminal, amountMinor, fieldText(request, fieldType.reference1));
      terminal.record(sale);
      return endWithAnswer(terminal, exchange, { fields: saleFields(terminal, sale) }, scenario);
    }
  }
}

type Decision = 'approved' | 'declined' | 'cancelled' | 'broken_off';

async function decide(terminal: Terminal, exchange: Exchange, scenario: Scenario): Promise<Decision> {
  if (scenario === 'silence') {
    terminal.hang();
    return 'broken_off';
  }
  if (scenario === 'noise') exchange.disturb({ pieceBytes, garbage, corruptNextFrame: true });
  const { cardMs, pinMs, hostMs, slowHostMs } = terminal.timings;
  const scale = terminal.timeScale;
  const atCustomer: [notices: string[], takesMs: number][] = [
    [['C0'], cardMs * scale],
    ...(scenario === 'card_unreadable' ? [[['C0'], cardMs * scale] as [string[], number]] : []),
    [['C1', 'P1'], pinMs * scale],
  ];
  for (const [notices, takesMs] of atCustomer) {
    for (const notice of notices) tell(terminal, exchange, notice);
    await exchange.pause(takesMs);
    if (exchange.ended) return 'broken_off';
    if (exchange.stopped) return 'cancelled';
    if (scenario === 'cancelled_by_customer') return 'cancelled';
  }
  tell(terminal, exchange, 'P2');
  exchange.passPointOfNoReturn();
  await exchange.pause(scenario === 'slow_host' ? slowHostMs : hostMs * scale);
  if (exchange.ended) return 'broken_off';
  if (scenario === 'declined') return 'declined';
  if (scenario !== 'power_loss') return 'approved';
  terminal.losePower();
  return 'broken_off';
}

function tell({ profile, dialect }: Terminal, exchange: Exchange, notice: string): void {
  if (dialect.notices && Object.hasOwn(profile.notices, notice)) exchange.send({ txCode: notice, more: '1' });
}

async function serveVoid(terminal: Terminal, exchange: Exchange): Promise<void> {
  const stored = terminal.memory.byInvoice(fieldText(exchange.request, fieldType.invoice) ?? '');
  const problem = voidProblem(stored);
  if (stored === null || problem !== null)
    return endWithAnswer(terminal, exchange, refusal('ND', problem ?? ''));
  const scenario = terminal.takeScenario('approved');
  if (scenario === 'declined') return endWithAnswer(terminal, exchange, refusal('ND', 'DECLINED'), scenario);
  const voided = draftVoid(terminal, stored.sale);
  terminal.record(voided);
  const fields: [string, string][] = [
    [fieldType.responseText, 'APPROVED'.padEnd(40)],
    [fieldType.approvalCode, voided.approval_code],
    [fieldType.invoice, voided.receipt_number],
  ];
  return endWithAnswer(terminal, exchange, { fields }, scenario);
}

/** Why it cannot be voided, as the terminal says it; null when it can. */
export function voidProblem(stored: StoredSale | null): string | null {
  if (stored === null || stored.state === 'settled') return 'TRANS NOT FOUND';
  return stored.state === 'voided' ? 'ALREADY VOIDED' : null;
}

/** One answer for each host; the batch is closed before the first of them. */
async function serveSettlement(terminal: Terminal, exchange: Exchange): Promise<void> {
  const scenario = terminal.takeScenario('approved');
  if (scenario === 'declined') return endWithAnswer(terminal, exchange, refusal('ND', 'DECLINED'), scenario);
  const [first, ...others] = issuers;
  const hosts = terminal.dialect.hosts === 1 ? [issuers] : [[first], others];
  const totals = hosts.map((ofHost) => terminal.memory.totals(ofHost));
  const batchNumber = terminal.memory.batchNumber();
  if (terminal.memory.totals().count > 0) terminal.record(draftSettlement(terminal));
  for (const [index, { count, totalMinor }] of totals.entries()) {
    const isLast = index === totals.length - 1;
    const more = isLast ? {} : { more: '1' as const };
    const told: [string, string][] = terminal.dialect.tellsTotals
      ? [
          ['H1', String(count).padStart(3, '0')],
          [fieldType.batchSum, String(totalMinor).padStart(12, '0')],
        ]
      : [];
    const parts =
      count === 0
        ? refusal('NB', 'BATCH EMPTY')
        : { fields: [[fieldType.batchNumber, batchNumber] as const, ...told] };
    if (isLast) return endWithAnswer(terminal, exchange, parts, scenario);
    exchange.send({ ...parts, ...more });
    await exchange.pause(terminal.timings.hostMs * terminal.timeScale);
    if (exchange.ended) return;
  }
}

async function serveInquiry(terminal: Terminal, exchange: Exchange): Promise<void> {
  const stored = terminal.memory.byReference(fieldText(exchange.request, fieldType.reference1) ?? '');
  if (stored === null) return endWithAnswer(terminal, exchange, refusal('ND', 'RECORD NOT FOUND'));
  if (stored.state === 'voided') return endWithAnswer(terminal, exchange, refusal('ND', 'TRANS VOIDED'));
  return endWithAnswer(terminal, exchange, { fields: saleFields(terminal, stored.sale) });
}

function always({ clock, terminalId, currency }: Terminal) {
  return { at: new Date(clock.now()).toISOString(), terminal_id: terminalId, currency };
}

/**
 * As it would be written now, with the tip that the customers of its dialect add. A draft is nothing until it is recorded,
 * and uses up no number.
 */
export function draftSale(terminal: Terminal, askedMinor: number, reference1: string | null): ChargedEntry {
  const tipMinor = Math.trunc((askedMinor * terminal.dialect.tipPercent) / 100);
  const amountMinor = askedMinor + tipMinor;
  const invoice = terminal.memory.nextInvoice();
  return {
    ...always(terminal),
    event: 'charged',
    amount: formatAmount(amountMinor, terminal.currency),
    amount_minor: amountMinor,
    receipt_number: invoice,
    approval_code: approvalCode(terminal.memory.sold() + 1, amountMinor),
    issuer: issuerFor(amountMinor),
    batch_number: terminal.memory.batchNumber(),
    ...terminalTime(terminal.clock),
    tip_minor: tipMinor,
    reference1,
  };
}

export function draftVoid(terminal: Terminal, sale: ChargedEntry) {
  return {
    ...always(terminal),
    event: 'reversed',
    amount: sale.amount,
    amount_minor: sale.amount_minor,
    receipt_number: sale.receipt_number,
    approval_code: approvalCode(Number(sale.approval_code), sale.amount_minor),
  } as const satisfies LedgerEntry;
}

export function draftSettlement(terminal: Terminal) {
  const { count, totalMinor } = terminal.memory.totals();
  return {
    ...always(terminal),
    event: 'settled',
    count,
    total: formatAmount(totalMinor, terminal.currency),
    total_minor: totalMinor,
  } as const satisfies LedgerEntry;
}

/** Looks like chance, and is the same for the same sale. */
function approvalCode(number: number, amountMinor: number): string {
  return ((number * 7_919 + amountMinor * 104_729 + 178_570) % 1_000_000).toString().padStart(6, '0');
}
