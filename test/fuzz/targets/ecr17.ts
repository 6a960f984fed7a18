/** What comes on the connection to an ECR17 terminal, up to its meaning. */
import assert from 'node:assert/strict';
import { fromHex } from '../../../src/bridge/terminals/framing/index.ts';
import {
  createParser,
  decodeMessage,
  describeMessage,
  ecr17Decoder,
  encodeFrame,
  endsTicket,
  lrcRangeOf,
  maxDataBytes,
  paymentResultOf,
  progressText,
  totalsOf,
  traceFields,
  tracedHex,
} from '../../../src/bridge/terminals/ecr17/wire/index.ts';
import type { Random } from '../../support/random.ts';
import { vectorsOf } from '../../wire/frame-kit.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';
import { assertTraced, foundAlike, readsNext, streamOf } from './frame-streams.ts';

const usualBytes = 300;
const good = fromHex('0230303030303030303073033d');

export const ecr17: FuzzTarget = {
  name: 'ecr17',
  rule: 'packets are found alike however the bytes are cut, and each is read, described and traced within bounds',
  seeds: () => [
    ...vectorsOf('ecr17').map(({ hex }) => fromHex(hex)),
    ...['06', '0603', '0203', '0104', '15036906037a'].map(fromHex),
  ],
  triesInTests: 2_000,
  triesInChunk: 100_000,
  make: stream,
  open: () => {
    const whole = createParser();
    const cut = createParser();
    return {
      play(input) {
        const words = new Set<string>();
        for (const event of foundAlike(whole, cut, input)) {
          words.add(event.kind === 'damaged' ? event.reason.slice(0, 11) : event.kind);
          if (event.kind === 'progress') assert.ok(progressText(event.data).length <= 200);
          if (event.kind !== 'frame') continue;
          assert.equal(lrcRangeOf(event.data, event.lrc), event.lrcRange);
          words.add(read(event.data));
        }
        ecr17Decoder.decode(input, { framing: 'frame' });
        readsNext(whole, good, 'frame');
        readsNext(cut, good, 'frame');
        return [...words].toSorted().join(', ');
      },
      close() {},
    };
  },
};

function read(data: Uint8Array): string {
  assert.ok(data.length > 0 && data.length <= maxDataBytes);
  const message = decodeMessage(data);
  assertTraced(traceFields(message), tracedHex(data, message), data.length);
  JSON.stringify([describeMessage(message), totalsOf(message), endsTicket(message)]);
  const payment = paymentResultOf(message);
  // Approved is what says so, in a message that is whole.
  if (payment?.outcome === 'approved')
    assert.ok(message.complete && payment.result === '00' && data.length >= 71);
  if (payment !== null) assert.match(payment.last4 ?? '0000', /^\d{4}$/);
  return `${message.name ?? 'unknown'}${message.complete ? '' : ', not whole'}`;
}

/** Packets with damage, most of the time with the check byte that they then have, so that what is in them is read. */
function stream(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  if (random.chance(0.4)) return streamOf(random, corpus, usualBytes);
  return encodeFrame(damaged(random, corpus).subarray(1, usualBytes).slice(0, -2));
}
