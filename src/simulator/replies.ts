/** The messages of the terminal, as APDUs (ZVT PA00P015, chapter 3). */
import { currencyNumeric } from '../contract/money.ts';
import {
  buildApdu,
  amountToBcd,
  hex,
  encodeMessage,
  type MessageParts,
  encodeText,
} from '../bridge/terminals/zvt/wire/index.ts';
import { cardByKey, type TestCard } from './cards.ts';
import type { ChargedEntry, RefundedEntry, RefusedEntry, ReversedEntry } from './ledger.ts';
import type { BatchTotals, LastRecord } from './terminal-memory.ts';
import { merchantId, terminalTime, type Terminal } from './simulated-terminal.ts';

type Bitmaps = [tag: string, hex: string | null][];

/** 04 FF. The T4 value of one minute stands before the texts, which are only sent to a till that takes TLV. */
export function intermediateStatus(terminal: Terminal, status: string, text: string): Uint8Array {
  return encodeMessage({
    ctrl: '04ff',
    positional: { status, timeoutMin: '01' },
    ...tlvParts(terminal, [{ tag: '24', children: [{ tag: '07', hex: textHex(terminal, text) }] }]),
  });
}

/** 04 0F of something that the terminal remembers, or is about to remember. */
export function recordStatus(terminal: Terminal, record: LastRecord): Uint8Array {
  switch (record.kind) {
    case 'payment':
      return paymentStatus(terminal, record.payment, approved);
    case 'auto_reversed': {
      const originalTrace = record.payment.trace_number;
      return paymentStatus(terminal, record.payment, {
        code: '6c',
        text: 'Auto-reversed',
        originalTrace,
        amountTold: true,
      });
    }
    case 'reversal': {
      const { numberedVoids } = terminal.dialect;
      const form = numberedVoids === 'neither' ? 'bare' : 'numbered';
      return reversalStatus(terminal, record.reversal, record.payment, form);
    }
    case 'refund':
      return refundStatus(terminal, record.refund);
    case 'refusal':
      return storedRefusalStatus(terminal, record.refusal);
    case 'batch':
      return totalsStatus(terminal, record.totals, record.batch);
  }
}

/** 04 0F of a payment as the result of its command. */
export function resultStatus(terminal: Terminal, payment: ChargedEntry): Uint8Array {
  return paymentStatus(terminal, payment, {
    ...approved,
    amountTold: terminal.dialect.amountIn === 'result',
  });
}

/** 04 0F of an attempt that took no money: no receipt number, and a trace number only where the dialect gives one. */
export function refusalStatus(
  terminal: Terminal,
  refusal: {
    code: string;
    text: string;
    amountMinor: number;
    card: TestCard | null;
    /** Where the dialect numbers refusals. */
    traceNumber: string | null;
  },
): Uint8Array {
  const { card } = refusal;
  const now = terminalTime(terminal.clock);
  const bitmaps: Bitmaps = [
    ['27', refusal.code],
    ['04', hex(amountToBcd(refusal.amountMinor))],
    ...currencyBitmap(terminal),
    ...traceBitmap(refusal.traceNumber),
    ['0c', now.terminal_time],
    ['0d', now.terminal_date],
    ...(card === null ? [] : cardBitmaps(card)),
    ['29', terminal.terminalId],
    ['3c', textHex(terminal, refusal.text)],
  ];
  // The host's own code, when the host has answered.
  if (card !== null) bitmaps.push(['a0', refusal.code]);
  return encodeMessage({ ctrl: '040f', bitmaps });
}

/** 04 0F with nothing but a result code. */
export function bareStatus(code: string): Uint8Array {
  return encodeMessage({ ctrl: '040f', bitmaps: [['27', code]] });
}

/** 04 0F with BMP 60, for end of day (with its trace number) and for 06 10 (without). */
export function totalsStatus(
  terminal: Terminal,
  totals: BatchTotals,
  batch: { trace_number: string; terminal_date: string; terminal_time: string } | null,
): Uint8Array {
  const when = batch ?? terminalTime(terminal.clock);
  const trace: Bitmaps = batch === null ? [] : [['0b', batch.trace_number]];
  return encodeMessage({
    ctrl: '040f',
    bitmaps: [
      ['27', '00'],
      ['04', hex(amountToBcd(totals.totalMinor))],
      ...trace,
      ['0c', when.terminal_time],
      ['0d', when.terminal_date],
      ['29', terminal.terminalId],
      ...currencyBitmap(terminal),
      ...(terminal.dialect.dayHasTotals ? ([['60', singleTotals(totals)]] satisfies Bitmaps) : []),
    ],
  });
}

/** 06 0F without data. */
export const completion = buildApdu('060f');

/** 06 1E with its result code. */
export function abortion(code: string): Uint8Array {
  return buildApdu('061e', Uint8Array.of(Number.parseInt(code, 16)));
}

/** BMP 06, when the till takes TLV; else nothing. */
function tlvParts(
  terminal: Terminal,
  tlv: NonNullable<MessageParts['tlv']>,
): Pick<MessageParts, 'bitmaps' | 'tlv'> {
  return terminal.registration.tlvAllowed ? { bitmaps: [['06', null]], tlv } : {};
}

/** BMP 49, only if the till has named the currency itself (ZVT PA00P015, BMP 49). */
export function currencyBitmap(terminal: Terminal): Bitmaps {
  return terminal.registration.currencyNamed ? [['49', `0${currencyNumeric(terminal.currency)}`]] : [];
}

export function textHex(terminal: Terminal, text: string): string {
  return hex(encodeText(text, terminal.textEncoding));
}

const approved = { code: '00', text: 'Approved', originalTrace: null, amountTold: true };

function paymentStatus(
  terminal: Terminal,
  payment: ChargedEntry,
  result: { code: string; text: string; originalTrace: string | null; amountTold: boolean },
): Uint8Array {
  const card = cardByKey(payment.card);
  const originalTrace: Bitmaps = result.originalTrace === null ? [] : [['37', result.originalTrace]];
  const amount: Bitmaps = result.amountTold ? [['04', hex(amountToBcd(payment.amount_minor))]] : [];
  const payload = tlvParts(terminal, [
    {
      tag: '2f',
      children: [
        { tag: '1f10', hex: card.cardholderCheck },
        { tag: '1f11', hex: '01' },
        { tag: '1f12', hex: card.technology },
      ],
    },
  ]);
  return encodeMessage({
    ctrl: '040f',
    ...payload,
    bitmaps: [
      ['27', result.code],
      ...amount,
      ...currencyBitmap(terminal),
      ['0b', payment.trace_number],
      ...originalTrace,
      ['0c', payment.terminal_time],
      ['0d', payment.terminal_date],
      ...cardBitmaps(card),
      ['19', card.paymentType],
      ['29', terminal.terminalId],
      ['2a', asciiHex(merchantId)],
      ['3b', asciiHex(`${payment.approval_code}\0\0`)],
      ['3c', textHex(terminal, result.text)],
      ['87', payment.receipt_number],
      ['88', payment.turnover_number],
      ['a0', '00'],
      ...(payload.bitmaps ?? []),
    ],
  });
}

/** A refund looks like a payment: the documents have no field that tells them apart, only the text does. */
function refundStatus(terminal: Terminal, refund: RefundedEntry): Uint8Array {
  return encodeMessage({
    ctrl: '040f',
    bitmaps: [
      ['27', '00'],
      ['04', hex(amountToBcd(refund.amount_minor))],
      ...currencyBitmap(terminal),
      ['0b', refund.trace_number],
      ['0c', refund.terminal_time],
      ['0d', refund.terminal_date],
      ...cardBitmaps(cardByKey(refund.card)),
      ['29', terminal.terminalId],
      ['2a', asciiHex(merchantId)],
      ['3c', textHex(terminal, 'Refund')],
      ['87', refund.receipt_number],
      ['88', refund.turnover_number],
    ],
  });
}

function storedRefusalStatus(terminal: Terminal, refusal: RefusedEntry): Uint8Array {
  return encodeMessage({
    ctrl: '040f',
    bitmaps: [
      ['27', refusal.code],
      ['04', hex(amountToBcd(refusal.amount_minor))],
      ...currencyBitmap(terminal),
      ...traceBitmap(refusal.trace_number),
      ['0c', refusal.terminal_time],
      ['0d', refusal.terminal_date],
      ['29', terminal.terminalId],
      ['3c', textHex(terminal, refusal.text)],
    ],
  });
}

/** `bare`: nothing in it names the payment or the reversal. */
export function reversalStatus(
  terminal: Terminal,
  reversal: ReversedEntry,
  payment: ChargedEntry | null,
  form: 'numbered' | 'bare',
): Uint8Array {
  if (form === 'bare') {
    return encodeMessage({
      ctrl: '040f',
      bitmaps: [
        ['27', '00'],
        ['04', hex(amountToBcd(reversal.amount_minor))],
        ...currencyBitmap(terminal),
        ['0c', reversal.terminal_time],
        ['0d', reversal.terminal_date],
        ['29', terminal.terminalId],
      ],
    });
  }
  return encodeMessage({
    ctrl: '040f',
    bitmaps: [
      ['27', '00'],
      ['04', hex(amountToBcd(reversal.amount_minor))],
      ...currencyBitmap(terminal),
      ['0b', reversal.trace_number],
      ['37', reversal.original_trace_number],
      ['0c', reversal.terminal_time],
      ['0d', reversal.terminal_date],
      ...(payment === null ? [] : cardBitmaps(cardByKey(payment.card))),
      ['29', terminal.terminalId],
      ['2a', asciiHex(merchantId)],
      ['3c', textHex(terminal, 'Reversed')],
      ['87', reversal.reversal_receipt_number],
      ['88', reversal.turnover_number],
    ],
  });
}

function traceBitmap(traceNumber: string | null): Bitmaps {
  return traceNumber === null ? [] : [['0b', traceNumber]];
}

function cardBitmaps(card: TestCard): Bitmaps {
  return [
    ['0e', card.expiry],
    ['17', '0001'],
    ['22', card.maskedNumberHex],
    ['8a', card.cardType.toString(16).padStart(2, '0')],
    ['8b', asciiHex(`${card.name}\0`)],
  ];
}

/** The 53 bytes of BMP 60: receipt numbers, then a binary count and a BCD amount for each group (ZVT PA00P015, 2.16). */
function singleTotals(totals: BatchTotals): string {
  const groups = totals.groups.map((group) => {
    // One byte: real terminals begin again after 255, and the amounts still say all.
    const count = (group.count % 256).toString(16).padStart(2, '0');
    return count + hex(amountToBcd(group.totalMinor));
  });
  return totals.receiptFrom + totals.receiptTo + groups.join('');
}

function asciiHex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex');
}
