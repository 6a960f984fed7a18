/** What the terminal answers, in the form of its dialect. */
import { groupedDigits } from '../../base/grouped-digits.ts';
import { approvedCode, encodeMessage, type FieldName } from '../../bridge/terminals/transbank/wire/index.ts';
import type { SendEvents } from '../acked-link.ts';
import type { Scenario } from '../scenarios.ts';
import { cardByKey } from './cards.ts';
import type { TransbankDialect } from './dialects.ts';
import type { Exchange } from './exchange.ts';
import type { ChargedEntry } from './ledger.ts';
import { commerceCode, type Terminal } from './terminal.ts';

export type Values = Partial<Record<FieldName, string>>;

/** What real terminals fill up with blanks; codes, numbers of the terminal and times have their full length. */
const blankable: readonly FieldName[] = [
  'ticket',
  'authorizationCode',
  'amount',
  'instalments',
  'last4',
  'operationNumber',
  'cardType',
  'cardBrand',
  'employeeId',
  'tip',
];

/** Code and shop, with which each answer but the totals begins. */
export function shopValues(terminal: Terminal, responseCode: string): Values {
  return { responseCode, commerceCode, terminalId: terminal.terminalId };
}

/** The fields of an approved sale, wherever it is told. */
export function saleValues(terminal: Terminal, sale: ChargedEntry): Values {
  const card = cardByKey(sale.card);
  const { amountWithTip } = terminal.dialect;
  const added = sale.tip_minor + sale.change_minor;
  const debit = { accountingDate: '000000', accountNumber: `***************${card.last4}` };
  return {
    ...shopValues(terminal, approvedCode),
    ticket: ticketOf(terminal.dialect, sale.ticket),
    authorizationCode: sale.approval_code,
    amount: amountOf(terminal.dialect, sale.amount_minor - (amountWithTip ? 0 : added)),
    instalments: '0',
    last4: card.last4,
    operationNumber: sale.receipt_number,
    cardType: card.type,
    ...(card.type === 'DB' ? debit : {}),
    cardBrand: card.brand,
    date: sale.terminal_date,
    time: sale.terminal_time,
    tip: String(sale.tip_minor),
    ...(sale.change_minor > 0 ? { change: String(sale.change_minor) } : {}),
    ...providerValues(sale.provider_commerce_code),
  };
}

export function providerValues(code: string | null): Values {
  return code === null ? {} : { providerCommerceCode: code };
}

/** A sale that was not approved: the fields after the amount stay empty. */
export function refusedValues(terminal: Terminal, code: string, ticket: string, amountMinor: number): Values {
  return {
    ...shopValues(terminal, code),
    ticket: ticketOf(terminal.dialect, ticket),
    amount: String(amountMinor),
  };
}

function amountOf({ amounts }: TransbankDialect, pesos: number): string {
  return amounts === 'digits' ? String(pesos) : groupedDigits(pesos, '.');
}

function ticketOf(dialect: TransbankDialect, ticket: string): string {
  return dialect.paddedTickets && ticket !== '' ? ticket.padStart(6, '0') : ticket;
}

export async function sendProgress(terminal: Terminal, exchange: Exchange, code: string) {
  const { progressSeparator } = terminal.dialect;
  return exchange.send(encode('0900', { status: code }, progressSeparator));
}

/** One message, as its dialect writes it. */
export async function sendAnswer(
  terminal: Terminal,
  exchange: Exchange,
  command: string,
  values: Values,
  on?: SendEvents,
) {
  const { blanks, ending } = terminal.dialect;
  const data = encode(command, blanks ? withBlanks(command, values) : values, ending === 'separator');
  return exchange.send(ending === 'last_value' ? withoutEmptyEnd(data) : data, on);
}

const moneyAnswers: ReadonlySet<string> = new Set(['0210', '0260', '1210', '0510']);

/** The answer that ends a request, with what a scenario or a test has happen to it. */
export async function endWithAnswer(
  terminal: Terminal,
  exchange: Exchange,
  command: string,
  values: Values,
  scenario: Scenario = 'approved',
): Promise<void> {
  const { faults } = terminal;
  if (faults.lostAnswers > 0) {
    faults.lostAnswers -= 1;
    return;
  }
  const isBlank = faults.blankCodes > 0 && moneyAnswers.has(command);
  if (isBlank) faults.blankCodes -= 1;
  const told = isBlank ? { ...values, responseCode: '  ' } : values;
  const delivery = await sendAnswer(terminal, exchange, command, told, {
    half: scenario === 'cut_before_acknowledgement' ? () => terminal.cutLine() : undefined,
    delivered() {
      if (scenario === 'cut_after_acknowledgement') terminal.cutLine();
      if (faults.repeatedAnswers === 0) exchange.release();
    },
  });
  if (delivery !== 'delivered') {
    terminal.log.warn('nobody acknowledged the answer; what was done stands', { command });
    return;
  }
  if (faults.repeatedAnswers > 0) {
    faults.repeatedAnswers -= 1;
    await sendAnswer(terminal, exchange, command, told);
  }
}

function encode(command: string, values: Values, trailingSeparator: boolean): Uint8Array {
  const encoding = encodeMessage({ command, direction: 'from_terminal', values, trailingSeparator });
  if (!encoding.ok) throw new Error(encoding.error);
  return encoding.data;
}

function withBlanks(command: string, values: Values): Values {
  const isSale = 'ticket' in values || command === '0261';
  const fields = isSale ? blankable : [];
  return { ...values, ...Object.fromEntries(fields.map((field) => [field, `${values[field] ?? ''} `])) };
}

const separatorByte = 0x7c;

function withoutEmptyEnd(data: Uint8Array): Uint8Array {
  return data.subarray(0, data.findLastIndex((byte) => byte !== separatorByte) + 1);
}
