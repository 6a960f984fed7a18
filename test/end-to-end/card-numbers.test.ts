/**
 * No card data on disk: card numbers go in at every entrance that the bridge has, and every byte that it leaves on disk
 * is searched for them, as text, as text with separators, as BCD and as hex.
 */
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog, type CreatedLog } from '../../src/log/index.ts';
import { buildApdu, parseApdu, fromHex } from '../../src/bridge/terminals/zvt/wire/index.ts';
import { cardNumbersIn, cards, filesBelow } from '../support/card-numbers.ts';
import { is } from '../support/rigs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tapLine, type WireTap } from '../support/wire-tap.ts';
import { inMemory, openWay, type Way } from './way.ts';

const card = '4111111111111111';
const grouped = '4111 1111 1111 1111';
const track2 = '4111111111111111D25121010000012345';

let folder: string;
let created: CreatedLog;
let tap: WireTap | undefined;
let way: Way;

beforeAll(async () => {
  folder = tempFolder('cards');
  const kind = inMemory();
  created = createLog({
    folder: join(folder, 'logs'),
    level: 'debug',
    clock: kind.clock,
    store: { file: join(folder, 'store', 'log-store.sqlite') },
  });
  way = await openWay(kind, {
    folder,
    log: created.log,
    settings: { zvt: { receipts: 'pos' } },
    wrapLine(line) {
      tap = tapLine(line);
      return tap.line;
    },
  });
  await way.healthy();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Bytes of BMP and text that a careless terminal could send in a result. */
function withCardData(apdu: Uint8Array): Uint8Array {
  const parsed = parseApdu(apdu);
  if (parsed === null) return apdu;
  const text = (words: string) => Buffer.from(words, 'latin1').toString('hex');
  const llvar = (hex: string) => `f${Math.trunc(hex.length / 20)}f${(hex.length / 2) % 10}${hex}`;
  const lllvar = (hex: string) => `f0${llvar(hex)}`;
  const tlv = (tag: string, hex: string) => `${tag}${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
  if (parsed.ctrl === '040f') {
    const [bcd, track] = [card, track2];
    const extra =
      `22${llvar(bcd)}23${llvar(track)}24${lllvar(track)}` +
      `3c${lllvar(text(`Card ${grouped} ok ${card}`))}8b${llvar(text(`Visa ${card}\0`))}`;
    // The first of two counts, so the masked one that the terminal sent comes too late.
    return buildApdu('040f', Buffer.concat([fromHex(extra), parsed.data]));
  }
  if (parsed.ctrl === '04ff') {
    const shown = tlv('24', tlv('07', text(`Card ${card}`)));
    return buildApdu('04ff', fromHex(`ff01${tlv('06', shown)}`));
  }
  if (parsed.ctrl === '06d3') {
    const lines = tlv(
      '25',
      tlv('07', text(`Nr. ${grouped}`)) + tlv('07', text(cards.join(' '))) + tlv('09', '81'),
    );
    return buildApdu(
      '06d3',
      fromHex(tlv('06', tlv('1f07', '02') + tlv('1f08', text(`%B${card}^X^2512`)) + lines)),
    );
  }
  return apdu;
}

describe('card numbers', () => {
  it('come in everywhere and leave nothing on disk', async () => {
    const { till, base } = way;
    if (tap === undefined) throw new Error('there is no tap');

    // Every field of every command, wrong and right, and what is not JSON at all.
    for (const number of [...cards, grouped, `INV${card}`, `x-${card}-y`]) {
      const everything = {
        amount: number,
        retrieval_reference_number: number,
        condition_code: number,
        [number]: number,
        card: { number },
      };
      for (const path of [
        '/CreatePayment',
        '/QueryPayment',
        '/VoidPayment',
        '/CancelPayment',
        '/SubmitBatch',
        `/${number}`,
      ]) {
        await till.post(path, everything);
        await till.post(path, { amount: '12.00', retrieval_reference_number: number });
        await till.post(path, `{"amount": "${number}", broken`);
        await till.post(path, '{}', { 'x-api-version': number });
        await till.post(path, '{}', { 'content-type': `text/${number.replaceAll(' ', '')}` });
      }
      await till.post(
        '/QueryPayment',
        { retrieval_reference_number: 'A' },
        { 'x-request-id': number, prefer: `wait=${number}` },
      );
      await till.post(
        '/QueryPayment',
        { retrieval_reference_number: 'A' },
        { origin: `https://${number.replaceAll(' ', '')}.example` },
      );
      await till.post(
        '/QueryPayment',
        { retrieval_reference_number: 'A' },
        { authorization: `Bearer ${number}`, 'user-agent': number },
      );
      await fetch(`${base}/events?card=${encodeURIComponent(number)}`, { method: 'DELETE' });
    }
    await raw(base, `POST /${card} HTTP/1.1\r\nHost: ${card}\r\n\r\n`);
    await raw(base, `${card} is not HTTP\r\n\r\n`);

    // Everything that a terminal can say, in a sale that ends well and in one that is recovered.
    tap.rewriteToBridge = withCardData;
    expect((await till.create('12.00', 'GOOD', 60)).body['transaction_status']).toBe('approved');
    const good = await till.query('GOOD');
    expect(JSON.stringify(good.body)).not.toContain(card);
    expect(good.body['receipt']).toMatchObject({ masked_card_number: '411111******1111' });
    expect((await till.create('13.01', 'BAD', 60)).body['transaction_status']).toBe('declined');
    expect((await till.create('13.06', 'CUT', 60)).body['transaction_status']).toBe('unknown');
    expect((await till.query('CUT', 60)).body['transaction_status']).toBe('approved');
    await way.healthy();

    // A person who types a card number as a reason.
    way.simulator.queueScenario('slow_host');
    let sent = false;
    tap.loseToTerminal = (thing) => {
      sent ||= is('0601')(thing);
      return false;
    };
    await till.create('14.00', 'DOUBT');
    // The answer comes before the first byte is sent; cut off before that, nobody would be in doubt.
    await way.until(() => sent);
    tap.plugged = false;
    tap.cut();
    await till.query('DOUBT', 1);
    const [doubt] = way.bridge.payments.operationsInDoubt();
    const resolved = way.bridge.payments.resolve({
      operationId: doubt?.operationId ?? '',
      resolution: 'not-charged',
      by: card,
      reason: `the customer showed card ${grouped}`,
      terminalUnreachable: true,
    });
    expect(resolved.ok).toBe(true);

    await way.bridge.stop();
    await created.close();
    const found = filesBelow(folder).flatMap((file) => cardNumbersIn(file, readFileSync(file)));
    expect(found).toEqual([]);
    // The search itself has to be able to find something: the log is there, and masked numbers are in it.
    const log = filesBelow(join(folder, 'logs'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
    expect(log).toContain('411111******1111');
    const store = filesBelow(join(folder, 'store'))
      .map((file) => readFileSync(file, 'latin1'))
      .join('');
    expect(store).toContain('411111******1111');
    expect(store).toContain('22 f0 f8 41 11 11 ** ** ** 11 11');
    expect(cardNumbersIn('example', Buffer.from(`x${grouped}x`))).toHaveLength(1);
    expect(cardNumbersIn('example', Buffer.from(fromHex(`22f0f8${card}`)))).toHaveLength(1);
    const traced = (separator: string) => `f8${card}`.match(/../g)?.join(separator) ?? '';
    for (const separator of ['', ' ', ':'])
      expect(cardNumbersIn('example', Buffer.from(traced(separator)))).toHaveLength(1);
    expect(
      cardNumbersIn('example', Buffer.from(Buffer.from(card).toString('hex').match(/../g)?.join(':') ?? '')),
    ).toHaveLength(1);
  });
});

function raw(base: string, bytes: string): Promise<void> {
  const { port, hostname } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
  });
}
