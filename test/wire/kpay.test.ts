import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../src/bridge/terminals/framing/index.ts';
import {
  canonicalText,
  decodeAnswer,
  decodeCommand,
  encodeAnswer,
  encodeCommand,
  kpayDecoder,
  readHttpMessage,
  signText,
  transactionData,
  transactionOf,
  workingKeysOf,
} from '../../src/bridge/terminals/kpay/wire/index.ts';
import { damages, vectorsOf } from './frame-kit.ts';

const vectors = vectorsOf('kpay');
const named = vectors.map((vector) => [vector.id, vector] as const);
function vectorOf(id: string) {
  const vector = vectors.find((one) => one.id === id);
  if (vector === undefined) throw new Error(`there is no vector ${id}`);
  return vector;
}

const signInData = (vectorOf('kpay-sign-resp').decoded['body'] as { data: unknown }).data;
const keys = JSON.stringify(signInData);
const workingKeys = workingKeysOf(signInData);

function httpOf(id: string) {
  const read = readHttpMessage(fromHex(vectorOf(id).hex));
  if (!read.ok) throw new Error(read.error);
  return read.message;
}

const ofFraming = (framing: string) => named.filter(([, vector]) => vector.framing === framing);

const requests = ofFraming('http').filter(([, { decoded }]) => decoded['kind'] === 'request');
const signed = ofFraming('http').filter(([, { decoded }]) => 'canonical' in decoded);

describe('the golden vectors of KPay', () => {
  it('are all here', () => {
    expect(vectors).toHaveLength(31);
    expect(ofFraming('http')).toHaveLength(28);
  });

  it.each(named)('%s decodes to exactly what it says', (_id, { hex, framing, decoded }) => {
    expect(kpayDecoder.decode(fromHex(hex), { framing, keys })).toStrictEqual({ ok: true, decoded });
  });

  it.each(named)('%s says the same without keys, but for the signature', (_id, { hex, framing, decoded }) => {
    const { signatureValid: _valid, signature: _signature, ...rest } = decoded;
    expect(kpayDecoder.decode(fromHex(hex), { framing })).toStrictEqual({ ok: true, decoded: rest });
  });

  it.each(requests)('%s is encoded and signed to the same bytes', (id) => {
    const message = httpOf(id);
    if (message.kind !== 'request') throw new Error('no request');
    const { method, uri, headers, body } = message;
    const read = decodeCommand({ method, uri, body });
    if (!read.ok) throw new Error(read.reason);
    const encoded = encodeCommand(read.command);
    expect({ method: encoded.method, uri: encoded.uri }).toStrictEqual({ method, uri });
    expect(Buffer.from(encoded.body ?? []).toString()).toBe(Buffer.from(body).toString());
    if (read.command.call === 'sign_in' || workingKeys === null) return;
    const text = canonicalText({
      ...encoded,
      timestamp: headers.get('timestamp') ?? '',
      nonceStr: headers.get('noncestr') ?? '',
    });
    expect(signText(text, workingKeys.appPrivateKey)).toBe(headers.get('signature'));
  });

  it.each(ofFraming('http').filter(([, { decoded }]) => decoded['kind'] === 'response'))(
    '%s is encoded to the same bytes',
    (id) => {
      const { body } = httpOf(id);
      const answer = decodeAnswer(body);
      if (answer === null) throw new Error('no answer');
      const { code, message, data } = answer;
      const transaction = transactionOf(data);
      const written = encodeAnswer({
        code,
        ...(message === null ? {} : { message }),
        ...(transaction?.outTradeNo === null || transaction === null
          ? data === undefined
            ? {}
            : { data }
          : { data: transactionData(transaction, true) }),
      });
      // The vector keeps six digits more of the card number than we do.
      const sent = Buffer.from(body).toString().replace('411111******1111', '************1111');
      expect(Buffer.from(written).toString()).toBe(sent);
    },
  );
});

describe('a captured message of KPay', () => {
  it.each(ofFraming('http'))('%s is refused wherever it is cut', (_id, { hex }) => {
    const bytes = fromHex(hex);
    const taken = Array.from(bytes, (_, cut) =>
      kpayDecoder.decode(bytes.subarray(0, cut), { framing: 'http' }),
    );
    expect(taken.filter(({ ok }) => ok)).toStrictEqual([]);
  });

  it.each(signed)(
    '%s with one wrong bit is refused, has another text or signature, or says the same',
    (_id, { hex, decoded }) => {
      const original = signatureOf(fromHex(hex));
      const { appId: _appId, signatureValid: _valid, ...told } = decoded;
      const offences = [...damages(fromHex(hex))].filter(({ bytes }) => {
        const read = kpayDecoder.decode(bytes, { framing: 'http' });
        if (!read.ok || signatureOf(bytes) !== original) return false;
        const { appId: _other, ...same } = read.decoded;
        // A path of ours has become one of somebody else, whose signature is another key's.
        if (same['kind'] !== told['kind']) return false;
        return same['canonical'] === told['canonical'] && !isDeepStrictEqual(same, told);
      });
      expect(offences.map(({ place }) => place)).toStrictEqual([]);
    },
  );

  it('is told by its signature when its text or its signature is another', () => {
    const text = Buffer.from(fromHex(vectorOf('kpay-close-req').hex)).toString();
    const signature = signatureOf(Buffer.from(text)) ?? '';
    const others = [
      text.replace('"TB000001"', '"TB000002"'),
      text.replace('/sales/close', '/sales/clos%65'),
      text.replace('timestamp: 1', 'timestamp: 2'),
      text.replace('nonceStr: 9', 'nonceStr: 8'),
      text.replace('POST', 'PUT'),
      // The last character has bits that stand for nothing.
      text.replace('Ng==', 'Nh=='),
      text.replace(signature, signature.slice(0, -2)),
      text.replace(signature, ''),
      text.replace(/signature: .*\r\n/, ''),
    ];
    const validities = [text, text.replace('20260000', '20270000'), ...others].map((one) => {
      const read = kpayDecoder.decode(Buffer.from(one), { framing: 'http', keys });
      return read.ok ? read.decoded['signatureValid'] : read.error;
    });
    expect(validities).toStrictEqual([true, true, ...others.map(() => false)]);
  });
});

function signatureOf(bytes: Uint8Array): string | undefined {
  const read = readHttpMessage(bytes);
  return read.ok ? read.message.headers.get('signature') : undefined;
}
