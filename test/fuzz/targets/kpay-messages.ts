/** What a terminal of KPay answers, or somebody in its place, and everything that is made of it. */
import assert from 'node:assert/strict';
import { fromHex } from '../../../src/bridge/terminals/framing/index.ts';
import {
  codeText,
  decodeAnswer,
  decodeCommand,
  kpayDecoder,
  readHttpMessage,
  showsBatch,
  startProvedBy,
  tracedHex,
  traceFields,
  transactionOf,
  workingKeysOf,
} from '../../../src/bridge/terminals/kpay/wire/index.ts';
import { vectorsOf } from '../../wire/frame-kit.ts';
import type { FuzzTarget } from '../target.ts';

const http = vectorsOf('kpay').filter(({ framing }) => framing === 'http');
const longestName = 40;

export const kpayMessages: FuzzTarget = {
  name: 'kpay-messages',
  rule: 'any bytes are read, described, traced and judged within bounds, and no card number is kept',
  seeds: () =>
    http.flatMap(({ hex }) => {
      const bytes = fromHex(hex);
      const read = readHttpMessage(bytes);
      return read.ok ? [bytes, read.message.body] : [bytes];
    }),
  triesInTests: 1_000,
  triesInChunk: 50_000,
  open: () => ({
    play(input) {
      const decoded = kpayDecoder.decode(input, { framing: 'http' });
      JSON.stringify(decoded);
      if (!decoded.ok) assert.ok(decoded.error.length < 200);
      const canonical = kpayDecoder.decode(input, { framing: 'canonical' });
      assert.ok(!(canonical.ok && decoded.ok));

      const read = readHttpMessage(input);
      const body = read.ok ? read.message.body : input;
      const fields = traceFields(body, 'HKD');
      assert.ok(fields.length <= 100);
      for (const [name, value, place] of fields) {
        assert.ok(name.length <= longestName && value.length <= 400);
        if (place !== undefined) assert.ok(place.from < place.to && place.to <= body.length);
      }
      assert.ok(tracedHex(body).length < 2_048 * 3);

      const command = read.ok && read.message.kind === 'request' ? decodeCommand(read.message) : null;
      const answer = decodeAnswer(body);
      const transaction = transactionOf(answer?.data);
      if (answer !== null) {
        assert.ok(codeText(answer.code).length < 100);
        startProvedBy(answer.code, 'sale');
        showsBatch(answer.data);
        workingKeysOf(answer.data);
      }
      for (const value of Object.values(transaction ?? {}))
        assert.ok(typeof value !== 'string' || value.length <= 512);
      const card = transaction?.maskedCardNumber ?? '****';
      assert.match(card, /^\**(?:\d{4})?$/);
      const what = command === null ? 'no command' : command.ok ? command.command.call : command.reason;
      const kind = decoded.ok ? String(decoded.decoded['kind']) : decoded.error.replace(/\d+/g, 'N');
      return [
        kind.slice(0, longestName),
        what,
        answer === null ? 'no answer' : 'answer',
        transaction?.state,
      ].join(', ');
    },
    close() {},
  }),
};
