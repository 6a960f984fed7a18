import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken, listTokens, removeToken } from '../../../src/bridge/listener/index.ts';
import { acquireExclusiveLock } from '../../../src/bridge/locks/index.ts';
import { maxTokens } from '../../../src/bridge/listener/tokens.ts';
import { asNobody, isRoot } from '../../support/nobody.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { post, send } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const clock = createVirtualClock();
const surroundings = { clock, chance: seededChance(clock) };

let folder: string;
let file: string;
beforeEach(() => {
  folder = tempFolder('tokens');
  file = join(folder, 'tokens.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function make(name: string): string {
  const made = createToken(file, name, surroundings);
  if (!made.ok) throw new Error(made.message);
  return made.token;
}

describe('the file of tokens', () => {
  it('keeps a hash, never the token, and only its owner can read it', () => {
    const token = make('Till 1');
    expect(token).toMatch(/^tb_[\w-]{43}$/);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(token.slice(3));
    expect(JSON.parse(text)).toEqual({
      tokens: [
        {
          name: 'Till 1',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          createdAt: '2024-06-03T10:20:30.000Z',
        },
      ],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(make('Till 2')).not.toBe(token);
    expect(listTokens(file)).toEqual({
      ok: true,
      tokens: [
        { name: 'Till 1', createdAt: '2024-06-03T10:20:30.000Z' },
        { name: 'Till 2', createdAt: '2024-06-03T10:20:30.000Z' },
      ],
    });
    expect(readdirSync(folder)).toEqual(['tokens.json', 'tokens.json.lock']);
  });

  it.skipIf(!isRoot)('of another user is not called damaged', async () => {
    make('Till 1');
    const message = `This user may not read or change the POS tokens in ${file}. The bridge and its commands have to run as the user that the file belongs to.`;
    const refused = { ok: false, message };
    await asNobody(() => {
      expect(listTokens(file)).toEqual(refused);
      expect(createToken(file, 'Till 2', surroundings)).toEqual(refused);
      expect(removeToken(file, 'Till 1')).toEqual(refused);
    });
    expect(listTokens(file)).toMatchObject({ ok: true, tokens: [{ name: 'Till 1' }] });
  });

  it('takes one name once, and sensible names only', () => {
    make('Till 1');
    expect(createToken(file, 'Till 1', surroundings)).toEqual({
      ok: false,
      message: expect.stringContaining('"Till 1"'),
    });
    for (const name of ['', ' ', 'x'.repeat(41), 'a\nb', '../x', '"']) {
      expect(createToken(file, name, surroundings)).toEqual({
        ok: false,
        message: expect.stringContaining('must be 1 to 40'),
      });
    }
    expect(createToken(file, '4111 1111 1111 1111', surroundings)).toEqual({
      ok: false,
      message: 'The name of a token must not be a card number.',
    });
    expect(listTokens(file)).toMatchObject({ tokens: [{ name: 'Till 1' }] });
  });

  it('is bounded', () => {
    for (let index = 0; index < maxTokens; index += 1) make(`t${index}`);
    expect(createToken(file, 'one more', surroundings)).toEqual({
      ok: false,
      message: expect.stringContaining('Remove one first'),
    });
  });

  it('loses a token by its name', () => {
    make('Till 1');
    make('Till 2');
    expect(removeToken(file, 'Till 3')).toEqual({ ok: false, message: 'There is no token called "Till 3".' });
    expect(removeToken(file, 'Till 1')).toEqual({ ok: true, remaining: 1 });
    expect(removeToken(file, 'Till 2')).toEqual({ ok: true, remaining: 0 });
  });

  it('is not touched while another change is under way, or when it is damaged', () => {
    make('Till 1');
    const other = acquireExclusiveLock(`${file}.lock`);
    expect(createToken(file, 'Till 2', surroundings)).toEqual({
      ok: false,
      message: expect.stringContaining('under way'),
    });
    if (other.kind === 'held') other.release();
    // What a change has left that ended in the middle, as with the power, is in nobody's way.
    writeFileSync(`${file}.new`, '');
    make('Till 3');
    writeFileSync(file, 'damaged');
    expect(createToken(file, 'Till 2', surroundings)).toEqual({
      ok: false,
      message: expect.stringContaining('it is not JSON'),
    });
    expect(removeToken(file, 'Till 1').ok).toBe(false);
    expect(listTokens(file).ok).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('damaged');
  });
});

describe('a listener with tokens', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it('needs none before one is made, and one from then on, without a restart', async () => {
    const { port, payments } = await startListener({ tokensFile: file, limits: { tokensAgeMs: 0 } });
    const call = (headers: Record<string, string> = {}) => post(port, '/CreatePayment', sale, { headers });
    expect((await call()).status).toBe(200);

    const token = make('Till 1');
    const refused = await call();
    expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    for (const wrong of [
      'Bearer',
      'Bearer x',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      token,
      `Basic ${token}`,
    ]) {
      expect((await call({ authorization: wrong })).status).toBe(401);
    }
    expect((await call({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await call({ authorization: `bearer  ${token}` })).status).toBe(200);

    const second = make('Till 2');
    expect((await call({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await call({ authorization: `Bearer ${second}` })).status).toBe(200);
    removeToken(file, 'Till 1');
    expect((await call({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await call({ authorization: `Bearer ${second}` })).status).toBe(200);
    removeToken(file, 'Till 2');
    expect((await call()).status).toBe(200);
    expect(payments.asked).toHaveLength(7);
  });

  it('guards commands, /events and /metrics, but not /health and /openapi.json', async () => {
    const { port } = await startListener({ tokensFile: file, limits: { tokensAgeMs: 0 } });
    const token = make('Till 1');
    for (const path of [
      '/CreatePayment',
      '/CancelPayment',
      '/QueryPayment',
      '/VoidPayment',
      '/SubmitBatch',
    ]) {
      expect((await post(port, path, {})).json.code).toBe('unauthorized');
      expect((await post(port, path, {}, bearer(token))).json.code).not.toBe('unauthorized');
    }
    expect((await send(port, '/metrics')).status).toBe(401);
    expect((await send(port, '/metrics', bearer(token))).status).toBe(200);
    expect((await send(port, '/events')).status).toBe(401);
    expect((await send(port, '/events', { method: 'HEAD', ...bearer(token) })).status).toBe(200);
    expect((await send(port, '/health')).status).toBe(200);
    expect((await send(port, '/openapi.json')).status).toBe(200);
  });

  it.each([
    ['is not JSON', 'damaged'],
    ['has another form', '{"tokens":[{"name":"x"}]}'],
    ['is empty', ''],
    ['is too large', ' '.repeat(300 * 1024)],
  ])('lets nobody in when the file %s, and says so once', async (_name, content) => {
    const { port, payments, lines } = await startListener({ tokensFile: file, limits: { tokensAgeMs: 0 } });
    const token = make('Till 1');
    writeFileSync(file, content);
    for (let round = 0; round < 3; round += 1) {
      const answer = await post(port, '/CreatePayment', sale, bearer(token));
      expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized']);
      expect(answer.json.message).toContain('POS tokens cannot be used');
    }
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(file);
    expect(payments.asked).toEqual([]);

    rmSync(file);
    const next = make('Till 1');
    expect((await post(port, '/CreatePayment', sale, bearer(next))).status).toBe(200);
  });

  it('lets nobody in when what is there cannot be read', async () => {
    // A folder in the file's place: root may read everything else.
    const { port } = await startListener({ tokensFile: folder });
    expect((await post(port, '/CreatePayment', sale)).status).toBe(401);
  });

  it('looks at the file again when a moment has passed', async () => {
    const clock = createVirtualClock();
    const { port } = await startListener({ tokensFile: file, clock });
    const statusNow = async () => (await post(port, '/CreatePayment', sale)).status;
    expect(await statusNow()).toBe(200);
    make('Till 1');
    await clock.advance(99);
    expect(await statusNow()).toBe(200);
    await clock.advance(1);
    expect(await statusNow()).toBe(401);
  });
});
