/**
 * Collects what the terminal wants to have printed (06 D1, 06 D3; ZVT PA00P015, chapter 3) as plain lines for a POS
 * that prints. Card numbers are masked already. Receipts follow each other with an empty line between them; the width
 * of the paper is the POS's business, so centring and large print are left out and indents are kept. Where each receipt
 * begins, and whose it is, is kept beside the lines.
 */
import { printableLines } from '../../../../base/printable-text.ts';
import {
  maxReceiptParts,
  type PrintedLines,
  type ReceiptCopy,
  type ReceiptParts,
} from '../../../../contract/terminal.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { characterSetOf, type ZvtMessage } from './apdu-messages.ts';
import { decodeText, type TextEncoding } from './character-sets.ts';
import { findTlv } from './tlv.ts';

/** More than any receipt has; what comes beyond is dropped. */
const maxReceiptLines = 1_000;
const maxLineCharacters = 256;
const lineBreaks = /[\r\n]+/g;

/** Print attributes: FF means line feeds; any other with bit 80 but 80 itself ends a receipt; the low nibble indents. */
const lineFeeds = 0xff;
const reserved = 0x80;

/** Tag 1F07. */
const copies: Readonly<Record<number, ReceiptCopy>> = {
  0x01: 'merchant',
  0x02: 'customer',
  0x03: 'administration',
};

export interface ReceiptLines {
  take(message: ZvtMessage): void;
  readonly printed: PrintedLines;
}

export function createReceiptLines(encoding: TextEncoding): ReceiptLines {
  const lines: string[] = [];
  const parts: ReceiptParts = [];
  let betweenReceipts = false;
  /** What the message that is taken says of its receipt. */
  let told: ReceiptCopy | null = null;

  function line(text: string) {
    if (betweenReceipts) add('');
    if (betweenReceipts || lines.length === 0) begin();
    betweenReceipts = false;
    add(printableLines(text.replace(lineBreaks, ' '), maxLineCharacters).trimEnd());
  }

  function add(text: string) {
    if (lines.length < maxReceiptLines) lines.push(text);
  }

  function feed(count: number) {
    for (let fed = 0; fed < count && lines.length > 0 && lines.length < maxReceiptLines; fed += 1) line('');
  }

  function begin() {
    if (parts.length < maxReceiptParts && lines.length < maxReceiptLines)
      parts.push({ from: lines.length, copy: told });
  }

  /** A receipt may say whose it is in any of its messages, and one of somebody else's begins where that is said. */
  function takeCopy(message: ZvtMessage) {
    told = copies[findTlv(message.tlv, '1f07')[0]?.value[0] ?? 0] ?? null;
    const current = parts.at(-1);
    if (told === null || current === undefined || betweenReceipts) return;
    if (current.copy === null) current.copy = told;
    else if (current.copy !== told) end();
  }

  /** Ends a receipt; the separator comes only if another receipt follows. */
  function end() {
    betweenReceipts = lines.length > 0;
  }

  function takePrintLine(message: ZvtMessage) {
    const { attribute, text, lineFeeds: count } = message.positional;
    const code = typeof attribute === 'string' ? Number.parseInt(attribute, 16) : 0;
    if (code === lineFeeds) return feed(typeof count === 'number' ? count : 1);
    line(indented(typeof text === 'string' ? text : '', code));
    if (endsReceipt(code)) end();
  }

  function takeTextBlock(message: ZvtMessage) {
    const characterSet = characterSetOf(message, encoding);
    for (const texts of findTlv(message.tlv, '25')) {
      let attribute = 0;
      for (const { tag, value } of texts.children ?? []) {
        if (tag === '07') line(indented(decodeText(value, characterSet), attribute));
        if (tag !== '09') continue;
        attribute = value[0] ?? 0;
        if (attribute === lineFeeds) feed(1);
        else if (endsReceipt(attribute)) end();
      }
    }
  }

  return {
    /** A card number can begin in one line and end in the next. */
    get printed() {
      const receiptLines = lines.length === 0 ? [] : maskCardNumbers(lines.join('\n')).split('\n');
      const saysMore = parts.length > 1 || parts.some(({ copy }) => copy !== null);
      return saysMore ? { receiptLines, receiptParts: parts } : { receiptLines };
    },
    take(message) {
      takeCopy(message);
      if (message.ctrl === '06d1') takePrintLine(message);
      else takeTextBlock(message);
    },
  };
}

/** The attribute that marks the last line of a receipt: 81..FE. */
export function endsReceipt(attribute: number): boolean {
  return attribute > reserved && attribute !== lineFeeds;
}

function indented(text: string, attribute: number): string {
  const indent = (attribute & reserved) === 0 ? attribute & 0x0f : 0;
  return ' '.repeat(indent) + text;
}
