/** Bodies: bounded in bytes, taken for JSON or not, and left unread without losing the response. */
import { PassThrough, Writable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  cutReading,
  endAndClose,
  hasBody,
  isEncoded,
  isJson,
  parseJsonObject,
  readBody,
  readJsonObject,
} from '../../src/http/index.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const json = { 'content-type': 'application/json' };

/** A request whose body the test sends. */
function requestWith(headers: Record<string, string> = { 'transfer-encoding': 'chunked' }) {
  const stream = new PassThrough();
  const request = Object.assign(stream, { headers, complete: false }) as unknown as IncomingMessage;
  return { stream, request };
}

function sent(body: string | Uint8Array, headers: Record<string, string>): IncomingMessage {
  const { stream, request } = requestWith(headers);
  stream.end(body);
  return request;
}

describe('reading', () => {
  it('gives all pieces in one', async () => {
    const { stream, request } = requestWith();
    const reading = readBody(request, 6);
    for (const piece of ['ab', 'cd', 'ef']) stream.write(piece);
    stream.end();
    expect(await reading).toEqual({ kind: 'complete', bytes: Buffer.from('abcdef') });
  });

  it('is over with the last byte of a request that is complete, before its end is told', async () => {
    const { stream, request } = requestWith({ 'content-length': '4' });
    request.complete = true;
    const reading = readBody(request, 6);
    stream.write('ab');
    stream.write('cd');
    expect(await reading).toEqual({ kind: 'complete', bytes: Buffer.from('abcd') });
  });

  it('goes on to the end where no length is given, also of a complete request', async () => {
    const { stream, request } = requestWith();
    request.complete = true;
    const reading = readBody(request, 6);
    for (const piece of ['ab', 'cd']) stream.write(piece);
    stream.end();
    expect(await reading).toEqual({ kind: 'complete', bytes: Buffer.from('abcd') });
  });

  it('can be cut as long as the request is not complete, however much has come', async () => {
    const { stream, request } = requestWith({ 'content-length': '4' });
    const reading = readBody(request, 6);
    const arrived = new Promise((resolve) => stream.once('data', resolve));
    stream.write('abcd');
    await arrived;
    const refusal = { code: 'request_timeout', message: 'Too late.' } as const;
    cutReading(request, refusal);
    expect(await reading).toEqual({ kind: 'cut', refusal });
  });

  it('gives nothing of an empty body', async () => {
    expect(await readBody(sent('', {}), 6)).toEqual({ kind: 'complete', bytes: Buffer.alloc(0) });
  });

  it.each([
    ['by the length that it gives', { 'content-length': '7' }, ''],
    ['by what comes', { 'transfer-encoding': 'chunked' }, 'abcdefg'],
    ['whatever length it gives', { 'content-length': '1' }, 'abcdefg'],
  ])('refuses what is too large, %s', async (_how, headers, body) => {
    const { stream, request } = requestWith(headers);
    const reading = readBody(request, 6);
    stream.end(body);
    expect(await reading).toEqual({ kind: 'too_large' });
  });

  it('ends when the caller goes', async () => {
    const { stream, request } = requestWith();
    const reading = readBody(request, 6);
    stream.destroy();
    expect(await reading).toEqual({ kind: 'gone' });
  });

  it('is cut with a reason while there is more to come, and not afterwards', async () => {
    const refusal = { code: 'invalid_request', message: 'Broken.' } as const;
    const open = requestWith();
    const reading = readBody(open.request, 6);
    cutReading(open.request, refusal);
    expect(await reading).toEqual({ kind: 'cut', refusal });

    const whole = requestWith();
    whole.request.complete = true;
    const complete = readBody(whole.request, 6);
    whole.stream.write('ab');
    cutReading(whole.request, refusal);
    whole.stream.end();
    expect(await complete).toEqual({ kind: 'complete', bytes: Buffer.from('ab') });
  });
});

describe('a JSON object', () => {
  it.each([
    ['{"a":1}', { kind: 'object', value: { a: 1 } }],
    ['{"a":1,"a":2}', { kind: 'object', value: { a: 2 } }],
    ['[]', { kind: 'not_an_object' }],
    ['null', { kind: 'not_an_object' }],
    ['"text"', { kind: 'not_an_object' }],
    ['', { kind: 'not_json' }],
    ['{"a"', { kind: 'not_json' }],
  ])('%s', (text, parsed) => {
    expect(parseJsonObject(Buffer.from(text))).toEqual(parsed);
  });

  it('has fields of any name, and reaches no prototype', () => {
    const parsed = parseJsonObject(Buffer.from('{"__proto__":{"polluted":true}}'));
    if (parsed.kind !== 'object') throw new Error('it is one');
    expect(Object.keys(parsed.value)).toEqual(['__proto__']);
    expect(parsed.value['polluted']).toBeUndefined();
  });

  it('is UTF-8', () => {
    expect(parseJsonObject(Buffer.from('{"a":"ä"}', 'latin1'))).toEqual({ kind: 'not_json' });
  });

  it.each([
    ['an object', '{"a":1}', json, { ok: true, value: { a: 1 } }],
    ['nothing', '', json, { ok: true, value: {} }],
    ['what names its charset', '{}', { 'content-type': 'Application/JSON; charset=UTF-8' }, { ok: true }],
    ['what is no object', '[]', json, { ok: false, code: 'invalid_request' }],
    ['what is no JSON', '{', json, { ok: false, code: 'invalid_json' }],
    ['what is too large', '{"a":"xxxxxxxxxx"}', json, { ok: false, code: 'body_too_large' }],
    [
      'another charset',
      '{}',
      { 'content-type': 'application/json;charset="utf-16"' },
      { ok: false, code: 'unsupported_media_type' },
    ],
    ['another type', '{}', { 'content-type': 'text/plain' }, { ok: false, code: 'unsupported_media_type' }],
    [
      'what is packed',
      '{}',
      { ...json, 'content-encoding': 'gzip' },
      { ok: false, code: 'unsupported_media_type' },
    ],
  ])('is read of %s', async (_what, body, headers, read) => {
    expect(await readJsonObject(sent(body, headers), 16)).toMatchObject(read);
  });
});

describe('the head', () => {
  it.each([
    ['application/json', true],
    ['APPLICATION/JSON ; charset=utf-8', true],
    ['application/jsonp', false],
    ['text/plain', false],
    ['text/plain;application/json', false],
    [undefined, false],
  ])('with the type %s', (type, is) => {
    expect(isJson({ headers: { 'content-type': type } })).toBe(is);
  });

  it.each([
    [undefined, false],
    ['Identity', false],
    ['gzip', true],
    ['', true],
  ])('with the encoding %s', (encoding, is) => {
    expect(isEncoded({ headers: { 'content-encoding': encoding } })).toBe(is);
  });

  it.each([
    [{}, false],
    [{ 'content-length': '0' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
  ])('says whether there is a body: %j', (headers, is) => {
    expect(hasBody({ headers })).toBe(is);
  });
});

describe('a response that closes', () => {
  const limits = { lingerBytes: 4, lingerMs: 2_000 };

  function responding(headers: Record<string, string>) {
    const clock = createVirtualClock();
    const { stream, request } = requestWith(headers);
    const written: string[] = [];
    const response = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    });
    endAndClose(request, response as unknown as ServerResponse, 'no', { clock, limits });
    return { clock, stream, response, written };
  }

  it('ends at once where there is nothing to read', () => {
    expect(responding({}).response.writableEnded).toBe(true);
  });

  it('goes out at once, and ends when the request has', async () => {
    const { clock, stream, response, written } = responding({ 'content-length': '3' });
    expect([written, response.writableEnded]).toEqual([['no'], false]);
    stream.end('abc');
    await clock.until(() => response.writableEnded, 'the end');
    expect(clock.waiting).toBe(0);
  });

  it.each([
    [
      'has sent too much',
      async ({ clock, stream, response }: ReturnType<typeof responding>) => {
        stream.write('abcde');
        await clock.until(() => response.writableEnded, 'the end', limits.lingerMs - 1);
      },
    ],
    ['takes too long', ({ clock }: ReturnType<typeof responding>) => clock.advance(limits.lingerMs)],
    [
      'has gone',
      async ({ clock, stream, response }: ReturnType<typeof responding>) => {
        stream.destroy();
        await clock.until(() => response.writableEnded, 'the end', limits.lingerMs - 1);
      },
    ],
  ])('ends when the sender %s', async (_what, happen) => {
    const rig = responding({ 'transfer-encoding': 'chunked' });
    await happen(rig);
    expect(rig.response.writableEnded).toBe(true);
  });
});
