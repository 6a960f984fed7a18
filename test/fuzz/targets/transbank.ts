/** What comes on the line of a Transbank terminal, up to its meaning. */
import assert from 'node:assert/strict';
import { fromHex } from '../../../src/bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  describeMessage,
  encodeFrame,
  encodeMessage,
  endsDetail,
  maxDataBytes,
  saleResultOf,
  totalsOf,
  traceFields,
  tracedHex,
  transbankDecoder,
  verdictOf,
} from '../../../src/bridge/terminals/transbank/wire/index.ts';
import type { Random } from '../../support/random.ts';
import { vectorsOf } from '../../wire/frame-kit.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { assertTraced, foundAlike, readsNext, streamOf } from './frame-streams.ts';

const usualBytes = 300;
const good = fromHex('02303130300302');
const cardNumber = '4111111111111111';

export const transbank: FuzzTarget = {
  name: 'transbank',
  rule: 'frames are found alike however the bytes are cut, and each is read, described and traced within bounds',
  seeds: () => [
    ...vectorsOf('transbank').map(({ hex }) => fromHex(hex)),
    ...['06', '15', '0203', '06150602'].map(fromHex),
    frameOf(`0210|00|5|7|T1|1|9|0|0|${cardNumber}|1|DB||${cardNumber}|DB|||||${cardNumber}|`),
  ],
  triesInTests: 2_000,
  triesInChunk: 100_000,
  make: stream,
  open: () => {
    const whole = createParser();
    const cut = createParser();
    return {
      play(input) {
        const events = foundAlike(whole, cut, input);
        const words = new Set<string>();
        for (const event of events) {
          words.add(event.kind === 'damaged' ? event.reason.slice(0, 11) : event.kind);
          if (event.kind === 'frame') words.add(read(event.data));
        }
        transbankDecoder.decode(input, { framing: 'serial' });
        readsNext(whole, good, 'frame');
        readsNext(cut, good, 'frame');
        return [...words].toSorted().join(', ');
      },
      close() {},
    };
  },
};

function frameOf(text: string): Uint8Array {
  return encodeFrame(new Uint8Array(Buffer.from(text, 'latin1')));
}

function read(data: Uint8Array): string {
  assert.ok(data.length > 0 && data.length <= maxDataBytes);
  const message = decodeMessage(data);
  const fields = traceFields(message);
  const sale = saleResultOf(message);
  assertTraced(fields, tracedHex(data, message), data.length);
  const shown = JSON.stringify([
    describeMessage(message),
    fields,
    sale,
    totalsOf(message),
    endsDetail(message),
  ]);
  // The digits of an escaped control character are none of a card.
  assert.ok(!shown.replace(/\\u[0-9a-f]{4}/g, '').includes(cardNumber));
  if (verdictOf(message) === 'approved') assert.equal(message.values.responseCode?.trim(), '00');
  if (sale !== null) assert.ok(sale.amount === null || Number.isSafeInteger(sale.amount));
  // What can be said again reads the same.
  const again = encodeMessage(message);
  if (again.ok)
    assert.partialDeepStrictEqual(decodeMessage(again.data, message.direction).values, message.values);
  return `${message.name ?? 'unknown'} ${message.direction}`;
}

/** Frames with damage, most of the time with the check byte that they then have, so that what is in them is read. */
function stream(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  if (random.chance(0.4)) return streamOf(random, corpus, usualBytes);
  return encodeFrame(damaged(random, corpus).subarray(1, usualBytes).slice(0, -2));
}
