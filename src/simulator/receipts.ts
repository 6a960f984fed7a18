/** Receipts as print data for the till: 06 D3 blocks, or 06 D1 line by line (ZVT PA00P015, chapter 3). */
import { formatAmount } from '../contract/money.ts';
import { buildApdu, concatBytes, encodeMessage, encodeText } from '../bridge/terminals/zvt/wire/index.ts';
import { cardByKey } from './cards.ts';
import { printsBlocks, merchantId, type Terminal } from './simulated-terminal.ts';
import { textHex } from './replies.ts';
import type { LastRecord } from './terminal-memory.ts';

interface Line {
  text: string;
  centred?: boolean;
}
/** Tag 1F07. */
const receiptTypes = { merchant: '01', customer: '02', administration: '03' } as const;
type ReceiptType = keyof typeof receiptTypes;

const receiptWidth = 24;
/** Attributes of a line (ZVT PA00P015, 06 D1 and tag 09): normal, centred, last line of the receipt (cut here). */
const attributes = { normal: 0x00, centred: 0x40, last: 0x81 } as const;

/** The print messages for one record, in order: merchant and customer receipt, or one administration receipt. */
export function receiptMessages(terminal: Terminal, record: LastRecord): Uint8Array[] {
  const types: ReceiptType[] = record.kind === 'batch' ? ['administration'] : ['merchant', 'customer'];
  return types.flatMap((type) => printMessages(terminal, type, receiptLines(terminal, record, type)));
}

function printMessages(terminal: Terminal, type: ReceiptType, lines: readonly Line[]): Uint8Array[] {
  if (printsBlocks(terminal.registration)) {
    const texts = lines.flatMap((line) => [
      { tag: '09', hex: byteHex(line.centred === true ? attributes.centred : attributes.normal) },
      { tag: '07', hex: textHex(terminal, line.text) },
    ]);
    const children = [...texts, { tag: '09', hex: byteHex(attributes.last) }];
    const tlv = [
      { tag: '1f07', hex: receiptTypes[type] },
      { tag: '25', children },
    ];
    return [encodeMessage({ ctrl: '06d3', bitmaps: [['06', null]], tlv })];
  }
  const printed = lines.map((line) => {
    const attribute = line.centred === true ? attributes.centred : attributes.normal;
    return buildApdu(
      '06d1',
      concatBytes(Uint8Array.of(attribute), encodeText(line.text, terminal.textEncoding)),
    );
  });
  return [...printed, buildApdu('06d1', Uint8Array.of(attributes.last))];
}

function receiptLines(terminal: Terminal, record: LastRecord, type: ReceiptType): Line[] {
  const head: Line[] = [
    { text: 'Café Tillbridge', centred: true },
    { text: 'SIMULATED', centred: true },
  ];
  const foot = [row('Terminal', terminal.terminalId), row('Merchant', merchantId)];
  if (record.kind === 'batch') {
    const { totals, batch } = record;
    return [
      ...head,
      { text: 'End of day', centred: true },
      ...totals.groups
        .filter((group) => group.count > 0)
        .map((group) => row(`${group.count} ${group.group}`, money(terminal, group.totalMinor))),
      row('Total', money(terminal, totals.totalMinor)),
      row('Receipts', `${totals.receiptFrom}-${totals.receiptTo}`),
      row('Trace', batch.trace_number),
      ...foot,
    ];
  }
  if (record.kind === 'refund' || record.kind === 'refusal') {
    const { amount_minor, trace_number } = record.kind === 'refund' ? record.refund : record.refusal;
    const result = record.kind === 'refund' ? 'Refunded' : record.refusal.text;
    return [
      ...head,
      { text: type === 'merchant' ? 'Merchant copy' : 'Customer copy', centred: true },
      { text: '' },
      row(record.kind === 'refund' ? 'Refund' : 'Payment', money(terminal, amount_minor)),
      ...(trace_number === null ? [] : [row('Trace', trace_number)]),
      ...foot,
      { text: result, centred: true },
    ];
  }
  const what = record.kind === 'payment' ? 'Payment' : 'Reversal';
  const numbers = record.kind === 'reversal' ? record.reversal : record.payment;
  const receipt =
    record.kind === 'reversal' ? record.reversal.reversal_receipt_number : record.payment.receipt_number;
  const card = record.payment === null ? null : cardByKey(record.payment.card);
  return [
    ...head,
    { text: type === 'merchant' ? 'Merchant copy' : 'Customer copy', centred: true },
    { text: '' },
    row(what, money(terminal, numbers.amount_minor)),
    ...(card === null ? [] : [{ text: card.name }, { text: card.maskedNumber }]),
    row('Trace', numbers.trace_number),
    row('Receipt', receipt),
    ...(record.kind === 'payment' ? [row('Approval code', record.payment.approval_code)] : []),
    ...(card?.cardholderCheck === '01' && type === 'merchant' ? [row('Signature', '............')] : []),
    ...foot,
    { text: record.kind === 'payment' ? 'Approved' : 'Reversed', centred: true },
  ];
}

function money(terminal: Terminal, amountMinor: number): string {
  return `${terminal.currency} ${formatAmount(amountMinor, terminal.currency)}`;
}

function row(left: string, right: string): Line {
  return { text: left + right.padStart(Math.max(receiptWidth - left.length, right.length + 1)) };
}

function byteHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
