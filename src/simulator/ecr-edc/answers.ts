/** What the terminal answers, in the form of its dialect. */
import { fieldText, fieldType, type MessageParts } from '../../bridge/terminals/ecr-edc/wire/index.ts';
import type { Scenario } from '../scenarios.ts';
import { cardNumber } from './cards.ts';
import type { EcrEdcDialect } from './dialects.ts';
import type { ChargedEntry } from './ledger.ts';
import { merchantId, type Exchange, type Terminal } from './terminal.ts';

export type Fields = [type: string, value: string | Uint8Array][];

const textLength = 40;
const merchantLength = 69;

const orders: Readonly<Record<EcrEdcDialect['fieldOrder'], readonly string[]>> = {
  approval_first: ['02', '01', '65', 'D0', '16', 'D1', 'D2', '30', '31', '50', '03', '04', 'D3', 'D4', 'D5'],
  time_first: ['02', 'D0', '03', '04', '01', '65', '16', 'D1', 'D2', '30', '31', '50', 'D3', 'D4', 'D5'],
};

/** The fields of an approved sale, wherever it is told. */
export function saleFields({ dialect, terminalId }: Terminal, sale: ChargedEntry): Fields {
  const { wholeCardNumber } = dialect;
  const values: Record<string, string> = {
    '02': 'APPROVED'.padEnd(textLength),
    '01': sale.approval_code,
    '65': sale.receipt_number,
    D0: 'TILLBRIDGE SIMULATOR'.padEnd(merchantLength),
    '16': terminalId,
    D1: merchantId,
    D2: sale.issuer.padEnd(10),
    '30': cardNumber(sale.issuer, !wholeCardNumber),
    '31': wholeCardNumber ? '3012' : 'XXXX',
    '50': sale.batch_number,
    '03': sale.terminal_date,
    '04': sale.terminal_time,
    D3: sale.receipt_number.padStart(12, '0'),
    D4: '01',
    D5: wholeCardNumber ? 'SOMCHAI JAIDEE'.padEnd(26) : '',
  };
  const types = orders[dialect.fieldOrder].filter((type) => type !== fieldType.terminalId || dialect.tellsId);
  const fields: Fields = types.map((type) => [type, values[type] ?? '']);
  if (dialect.tellsAmount) fields.push([fieldType.amount, String(sale.amount_minor).padStart(12, '0')]);
  if (sale.tip_minor > 0) fields.push([fieldType.tip, String(sale.tip_minor).padStart(12, '0')]);
  if (dialect.oddFields)
    fields.push(
      ['Z9', 'of a newer version'],
      ['06', ''],
      ['D6', Uint8Array.of(0x1c, 0x03, 0x1c, 0x02, 0x00)],
    );
  return fields;
}

export function refusal(code: string, text: string): Partial<MessageParts> {
  return { responseCode: code, fields: [[fieldType.responseText, text.padEnd(textLength)]] };
}

/** The answer that ends a request, with what a scenario or a test has happen to it. */
export async function endWithAnswer(
  terminal: Terminal,
  exchange: Exchange,
  parts: Partial<MessageParts>,
  scenario: Scenario = 'approved',
): Promise<void> {
  const { faults, dialect } = terminal;
  await exchange.pause(faults.answerDelayMs);
  if (exchange.ended) return;
  if (faults.lostAnswers > 0) {
    faults.lostAnswers -= 1;
    return;
  }
  const reference1 = fieldText(exchange.request, fieldType.reference1);
  const returned: Fields =
    reference1 !== null && dialect.returnsReference ? [[fieldType.reference1, reference1.padEnd(20)]] : [];
  exchange.send(
    {
      more: dialect.alwaysMore ? '1' : '0',
      ...parts,
      fields: [...(parts.fields ?? []), ...returned],
    },
    {
      half: scenario === 'cut_before_acknowledgement' ? () => terminal.cutLine() : undefined,
      acknowledged: scenario === 'cut_after_acknowledgement' ? () => terminal.cutLine() : undefined,
    },
  );
}
