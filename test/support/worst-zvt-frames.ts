/**
 * The frames of a hostile terminal that make the most work for whoever reads them: as many parts as fit, as deep as they
 * go, digits that could all be card numbers. Each for any size, so that the work can be held against the size.
 */
import { buildApdu, concatBytes, fromHex, buildLength } from '../../src/bridge/terminals/zvt/wire/index.ts';

/** The longest APDU there is, in bytes. */
export const largestApduBytes = 65_540;

export interface WorstFrame {
  what: string;
  /** An APDU of this size, or a few bytes less. */
  make(bytes: number): Uint8Array;
}

/** Head of the APDU, number and lengths of the containers around what is repeated. */
const roomForHeads = 40;

export const worstFrames: readonly WorstFrame[] = [
  inTlv('06d3', 'print texts of one empty line', fill('25020700')),
  inTlv('06d3', 'lines of one character', (bytes) => object('25', repeated('070141', bytes))),
  inTlv('06d3', 'empty lines', (bytes) => object('25', repeated('0700', bytes))),
  inTlv('06d3', 'print attributes', (bytes) => object('25', repeated('090100', bytes))),
  inTlv('06d3', 'character sets', fill('140101')),
  inTlv('06d3', 'empty objects', fill('2500')),
  inTlv('06d3', 'empty objects seven deep', (bytes) => nested('25', 6, repeated('2500', bytes - 30))),
  inTlv('06d3', 'objects a hundred deep', (bytes) => nested('25', 100, repeated('0700', bytes - 400))),
  inTlv('040f', 'receipt types', fill('1f0700')),
  inTlv('040f', 'permitted commands', fill('0a00')),
  inTlv('040f', 'card numbers in BCD', fill('50084111111111111111')),
  inTlv('040f', 'digits in one object', (bytes) => object('1f79', repeated('4111111111111111', bytes))),
  inTlv('040f', 'one error text', (bytes) => object('1f17', repeated('4120', bytes))),
  inTlv('040f', 'texts for the display', fill('24020741')),
  inTlv('04ff', 'texts for the display', fill('24020741'), 'ff00'),
  inTlv(
    '04ff',
    'one text of blanks',
    (bytes) => object('24', object('07', repeated('20', bytes - 8))),
    'ff00',
  ),
  ofData('040f', 'results', fill('2700')),
  ofData('040f', 'empty texts', fill('3cf0f0f0')),
  ofData('040f', 'merchant numbers', fill(`2a${'41'.repeat(15)}`)),
  ofData('040f', 'card names', fill('8bf0f0')),
  ofData('040f', 'totals', fill(`60f0f5f3${'00'.repeat(53)}`)),
  ofData('040f', 'broken containers', fill('06011f')),
  ofData('040f', 'containers', fill('060425020700')),
  ofData('040f', 'texts behind character sets', (bytes) =>
    concatBytes(container(repeated('25020700', bytes / 2)), repeated('3cf0f0f0', bytes / 2)),
  ),
  ofData('06d1', 'a line of digits', text('4111111111111111')),
  ofData('06d1', 'a line of digits and blanks', text('4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ')),
  ofData('06d1', 'a line of zeros', text('0')),
  ofData('06d1', 'a line of times', text('2024-01-01T00:00')),
  ofData('06d1', 'a line of short numbers', text('411111111111x')),
  ofData('06d1', 'a line of tracks', text('4111111111111111=99')),
  ofData('06d1', 'a line of stars', text('*1111^')),
  ofData('06d1', 'a line of blanks', text(' ')),
  ofData('06d1', 'a line of line ends', text('\r\n')),
  ofData('0fff', 'digits in BCD', fill('4111111111111111')),
  ofData('0fff', 'zeros in BCD', fill('00')),
  ofData('0fff', 'digits as text', fill('34313131')),
];

function inTlv(ctrl: string, what: string, value: (bytes: number) => Uint8Array, head = ''): WorstFrame {
  return ofData(ctrl, what, (bytes) => concatBytes(fromHex(head), container(value(bytes))));
}

function ofData(ctrl: string, what: string, data: (bytes: number) => Uint8Array): WorstFrame {
  return { what: `${ctrl}: ${what}`, make: (bytes) => buildApdu(ctrl, data(bytes - roomForHeads)) };
}

function fill(unitHex: string) {
  return (bytes: number) => repeated(unitHex, bytes);
}

/** Behind a print attribute. */
function text(unit: string) {
  const unitHex = Buffer.from(unit, 'latin1').toString('hex');
  return (bytes: number) => concatBytes(Uint8Array.of(0), repeated(unitHex, bytes));
}

function repeated(unitHex: string, bytes: number): Uint8Array {
  const unit = fromHex(unitHex);
  const whole = new Uint8Array(Math.floor(bytes / unit.length) * unit.length);
  for (let at = 0; at < whole.length; at += unit.length) whole.set(unit, at);
  return whole;
}

function object(tag: string, value: Uint8Array): Uint8Array {
  return concatBytes(fromHex(tag), buildLength(value.length), value);
}

function nested(tag: string, levels: number, innermost: Uint8Array): Uint8Array {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = object(tag, value);
  return value;
}

function container(value: Uint8Array): Uint8Array {
  return object('06', value);
}
