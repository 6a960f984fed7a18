/** Each failure of a command that moves money says what may be said of the money: nothing was moved, or nobody knows. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/bridge/listener/index.ts';
import { failureResponseSchema } from '../../../src/contract/http-commands.ts';
import { errorCodes, refuse } from '../../../src/contract/errors.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { discrepancyFact } from '../../support/memory-payments.ts';
import { post, raw, rawPost, rawSocket, type HttpCall } from './http.ts';
import { until } from '../../support/until.ts';
import { startListener, type Rig } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };
const reference = { retrieval_reference_number: 'A-1' };
const moneyCommands = ['/CreatePayment', '/VoidPayment', '/SubmitBatch'];

let folder: string;
beforeEach(() => {
  folder = tempFolder('state');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a failure says of the money; `undefined` where it says nothing. */
async function stateAfter(rig: Rig, path: string, body: unknown, call?: HttpCall) {
  const { json } = await post(rig.port, path, body, call);
  const failure = failureResponseSchema.parse(json);
  return { code: failure.code, state: failure.payment_state };
}

it.each([
  ['/VoidPayment', reference],
  ['/SubmitBatch', {}],
])(
  '%s that nobody waits for any longer says unknown, although nothing is journaled yet',
  async (path, body) => {
    const rig = await startListener({ limits: { maxLongPolls: 0 } });
    await post(rig.port, '/CreatePayment', sale);
    rig.payments.decide('A-1', 'declined');
    const never = new Promise<never>(() => {});
    rig.payments.answers.voidPayment = () => never;
    rig.payments.answers.submitBatch = () => never;
    const answer = stateAfter(rig, path, body);
    expect(await rig.clock.run(answer, 'the answer')).toEqual({ code: 'terminal_timeout', state: 'unknown' });
  },
);

describe('a refused CreatePayment', () => {
  it.each(errorCodes.filter((code) => code !== 'internal_error' && code !== 'journal_unavailable'))(
    'with %s says not_started where the journal proves it',
    async (code) => {
      const rig = await startListener();
      rig.payments.refuseWith(code);
      expect(await stateAfter(rig, '/CreatePayment', sale)).toEqual({ code, state: 'not_started' });
    },
  );

  it('that came too old is answered with 503: the service was not there for it', async () => {
    const rig = await startListener();
    rig.payments.refuseWith('request_expired');
    const { status, json } = await post(rig.port, '/CreatePayment', sale);
    expect([status, json['code'], json['payment_state']]).toEqual([503, 'request_expired', 'not_started']);
  });

  it('says unknown while the journal cannot tell', async () => {
    const rig = await startListener();
    rig.payments.refuseWith('journal_unavailable');
    expect((await stateAfter(rig, '/CreatePayment', sale)).state).toBe('unknown');
  });

  it.each([
    ['in_progress', 'unknown'],
    ['approved', 'unknown'],
    ['unknown', 'unknown'],
    ['settled', 'unknown'],
    ['declined', 'not_started'],
    ['cancelled', 'not_started'],
    ['failed', 'not_started'],
  ] as const)('for a reference that is %s says %s', async (status, state) => {
    const rig = await startListener();
    await post(rig.port, '/CreatePayment', sale);
    rig.payments.decide('A-1', status);
    rig.payments.refuseWith('reference_conflict');
    expect((await stateAfter(rig, '/CreatePayment', { ...sale, amount: '13.00' })).state).toBe(state);
  });

  it('for a failed payment says unknown while the terminal shows the opposite, until somebody has seen that', async () => {
    const rig = await startListener();
    await post(rig.port, '/CreatePayment', sale);
    rig.payments.decide('A-1', 'failed');
    const other = { ...sale, amount: '13.00' };
    rig.payments.refuseWith('reference_conflict');
    expect((await stateAfter(rig, '/CreatePayment', other)).state).toBe('not_started');
    const discrepancyId = '01890000-0000-7000-8000-000000000001';
    rig.payments.append(discrepancyFact(discrepancyId, { kind: 'unseen_records', references: ['A-1'] }));
    expect((await stateAfter(rig, '/CreatePayment', other)).state).toBe('not_started');
    const contradiction = '01890000-0000-7000-8000-000000000002';
    rig.payments.append(
      discrepancyFact(contradiction, { kind: 'contradicted_outcome', references: ['A-1'] }),
    );
    expect((await stateAfter(rig, '/CreatePayment', other)).state).toBe('unknown');
    rig.payments.acknowledge({ discrepancyId: contradiction, by: 'Ann', reason: 'refunded' });
    expect((await stateAfter(rig, '/CreatePayment', other)).state).toBe('not_started');
  });

  it('asks as it answers, not before', async () => {
    const rig = await startListener();
    const { payments } = rig;
    const create = payments.createPayment.bind(payments);
    payments.createPayment = async () => {
      // The same reference was carried out by another request meanwhile.
      await create({ amountMinor: 1_200, reference: 'A-1', conditionCode: '00' });
      payments.decide('A-1', 'approved');
      return refuse('terminal_busy', 'Busy.');
    };
    expect((await stateAfter(rig, '/CreatePayment', sale)).state).toBe('unknown');
  });

  it('with a field of the wrong form looks the reference up', async () => {
    const rig = await startListener();
    const wrong = { ...sale, amount: 12 };
    expect(await stateAfter(rig, '/CreatePayment', wrong)).toEqual({
      code: 'invalid_request',
      state: 'not_started',
    });
    await post(rig.port, '/CreatePayment', sale);
    rig.payments.decide('A-1', 'approved');
    expect((await stateAfter(rig, '/CreatePayment', wrong)).state).toBe('unknown');
  });

  it('without a reference has started nothing', async () => {
    const rig = await startListener();
    expect(await stateAfter(rig, '/CreatePayment', { amount: '12.00' })).toEqual({
      code: 'invalid_request',
      state: 'not_started',
    });
  });

  it('without a reference, where the bridge makes one, has started nothing unless the journal failed', async () => {
    const rig = await startListener({ makeReferences: true });
    rig.payments.refuseWith('terminal_busy');
    expect((await stateAfter(rig, '/CreatePayment', { amount: '12.00' })).state).toBe('not_started');
    rig.payments.refuseWith('journal_unavailable');
    expect((await stateAfter(rig, '/CreatePayment', { amount: '12.00' })).state).toBe('unknown');
  });

  it.each([[4711], [''], ['A 1'], [null]])('with the reference %j says unknown', async (named) => {
    const rig = await startListener();
    const body = { ...sale, retrieval_reference_number: named };
    expect((await stateAfter(rig, '/CreatePayment', body)).state).toBe('unknown');
  });
});

describe('a refused VoidPayment', () => {
  it.each([
    ['approved', 'not_started'],
    ['settled', 'not_started'],
    ['voiding', 'unknown'],
    ['voided', 'unknown'],
  ] as const)('of a payment that is %s says %s', async (status, state) => {
    const rig = await startListener();
    await post(rig.port, '/CreatePayment', sale);
    rig.payments.decide('A-1', status);
    rig.payments.answers.voidPayment = () =>
      Promise.resolve(refuse('terminal_timeout', 'Not decided in time.'));
    expect((await stateAfter(rig, '/VoidPayment', reference)).state).toBe(state);
  });
});

describe('a refused SubmitBatch', () => {
  it.each(['not_started', 'unknown'] as const)('says %s as the journal has it', async (state) => {
    const rig = await startListener();
    const asked: unknown[] = [];
    rig.payments.answers.paymentState = (...about) => {
      asked.push(about);
      return state;
    };
    rig.payments.answers.submitBatch = () => Promise.resolve(refuse('terminal_error', 'Printer empty.'));
    expect(await stateAfter(rig, '/SubmitBatch', {})).toEqual({ code: 'terminal_error', state });
    expect(asked).toEqual([['SubmitBatch', null]]);
  });
});

describe.each(moneyCommands)('%s', (path) => {
  const body = path === '/SubmitBatch' ? {} : path === '/VoidPayment' ? reference : sale;

  it.each([
    ['another host', 'host_not_allowed', { headers: { host: 'evil.example' } }],
    ['another origin', 'origin_not_allowed', { headers: { origin: 'https://evil.example' } }],
    ['no version', 'api_version_missing', { without: ['x-api-version'] }],
    ['another version', 'api_version_unsupported', { headers: { 'x-api-version': 'v9' } }],
    ['another type', 'unsupported_media_type', { headers: { 'content-type': 'text/plain' } }],
    ['another method', 'method_not_allowed', { method: 'PUT' }],
  ] as const)('refused for %s says unknown: no reference was read', async (_what, code, call) => {
    const rig = await startListener();
    const { without, ...rest } = { without: [], ...call };
    expect(await stateAfter(rig, path, body, { ...rest, without: [...without] })).toEqual({
      code,
      state: 'unknown',
    });
  });

  it.each([
    ['no JSON', 'invalid_json', 'nonsense'],
    ['a list', 'invalid_json', [body]],
    ['more than fits', 'body_too_large', { ...body, filler: 'x'.repeat(70_000) }],
  ] as const)('refused for %s says unknown', async (_what, code, sent) => {
    const rig = await startListener();
    expect(await stateAfter(rig, path, sent)).toEqual({ code, state: 'unknown' });
  });

  it('refused for its token says unknown, and nothing is looked up for a stranger', async () => {
    const tokensFile = join(folder, 'tokens.json');
    const clock = createVirtualClock();
    createToken(tokensFile, 'till 1', { clock, chance: seededChance(clock) });
    const rig = await startListener({ tokensFile });
    rig.payments.answers.paymentState = () => {
      throw new Error('looked up');
    };
    expect(await stateAfter(rig, path, body)).toEqual({ code: 'unauthorized', state: 'unknown' });
  });

  it('that meets a fault of the bridge says unknown', async () => {
    const rig = await startListener();
    rig.payments.breakNext();
    expect(await stateAfter(rig, path, body)).toEqual({ code: 'internal_error', state: 'unknown' });
  });

  it('is known by its path in a whole URL and before a query', async () => {
    const rig = await startListener();
    const wrong = { headers: { origin: 'https://evil.example' } };
    expect((await stateAfter(rig, `${path}?x=1`, body, wrong)).state).toBe('unknown');
    expect((await stateAfter(rig, `http://127.0.0.1:${rig.port}${path}`, body, wrong)).state).toBe('unknown');
  });
});

describe('what moves no money', () => {
  it.each(['/CancelPayment', '/QueryPayment', '/nowhere', '/constructor'])(
    '%s says nothing of it',
    async (path) => {
      const rig = await startListener();
      expect((await stateAfter(rig, path, 'nonsense')).state).toBeUndefined();
    },
  );
});

describe('a connection that breaks', () => {
  it('before its command can be told says unknown', async () => {
    const { port } = await startListener();
    expect(await raw(port, 'POST /CreatePayment HTTP/9.9\r\n\r\n')).toContain('"payment_state":"unknown"');
    const tooMuch = rawPost(port, '/CreatePayment', '{}', `X-Filler: ${'x'.repeat(20_000)}\r\n`);
    expect(await raw(port, tooMuch)).toContain('"payment_state":"unknown"');
  });

  it('within the body of a command says unknown', async () => {
    const { port } = await startListener();
    const head = `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\n`;
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const socket = rawSocket(port);
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    socket.write(`${head}${type}5\r\n{"amo\r\nnot a length\r\n`);
    await until(() => answer.endsWith('}'));
    socket.destroy();
    expect(answer).toContain('"code":"invalid_request"');
    expect(answer).toContain('"payment_state":"unknown"');
  });
});
