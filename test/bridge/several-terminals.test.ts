/** Several terminals on one bridge: each request reaches the right one, and no reference is ever paid on two. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openJournal, repairJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { callerNow } from '../support/callers.ts';
import { openSeveral, type SeveralTerminals } from '../support/several-terminals.ts';
import { flipByte } from './journal/folder.ts';

let opened: SeveralTerminals[] = [];
afterEach(async () => {
  for (const several of opened.splice(0)) await several.close();
});

const repairOptions = {
  log: silentLog,
  version: 'test',
  by: 'Ada Meier',
  reason: 'The disk was replaced.',
  uuid: randomUUID,
};

async function withBar(): Promise<SeveralTerminals> {
  const several = await openSeveral(['bar']);
  opened.push(several);
  await several.ready();
  return several;
}

const charged = (several: SeveralTerminals, name: string) =>
  several.ledgerOf(name).filter(({ event }) => event === 'charged').length;

describe('the terminal of a request', () => {
  it('is the one that the header names, else the main one', async () => {
    const several = await withBar();
    const onMain = await several.till.create('12.00', 'M-1', 60);
    const onBar = await several.tillOf('BAR').create('13.00', 'B-1', 60);
    expect(onMain.body).toMatchObject({ transaction_status: 'approved', terminal: 'main' });
    expect(onBar.body).toMatchObject({ transaction_status: 'approved', terminal: 'bar' });
    expect([charged(several, 'main'), charged(several, 'bar')]).toEqual([1, 1]);
  });

  it('is the main one for a till that knows nothing of terminals, and sends what it has always sent', async () => {
    const several = await withBar();
    const send = async (command: string, body: object) => (await several.till.post(`/${command}`, body)).body;
    const payment = { amount: '12.00', retrieval_reference_number: 'M-1', condition_code: '00' };
    const named = { retrieval_reference_number: 'M-1' };
    const done = { success: true, message: expect.any(String) as string };
    expect(await send('CreatePayment', payment)).toMatchObject({ ...done, ...named, condition_code: '00' });
    const isEnded = async () => (await send('QueryPayment', named))['transaction_status'] !== 'in_progress';
    await several.until(isEnded, 'the payment');
    expect(await send('QueryPayment', named)).toMatchObject({
      ...done,
      ...named,
      condition_code: '00',
      transaction_id: expect.any(String) as string,
      transaction_status: 'approved',
    });
    expect(await send('CancelPayment', {})).toMatchObject({ success: false, code: 'no_payment_in_progress' });
    expect(await send('VoidPayment', named)).toMatchObject(done);
    await several.ready();
    expect(await send('CreatePayment', { ...payment, retrieval_reference_number: 'M-2' })).toMatchObject(
      done,
    );
    await several.ready();
    expect(await send('SubmitBatch', {})).toMatchObject(done);
    expect([charged(several, 'main'), charged(several, 'bar')]).toEqual([2, 0]);
  });

  it('answers a reference that is used again the next day with what it was, and when', async () => {
    const several = await withBar();
    const first = await several.till.create('12.00', 'M-1', 60);
    await several.clock.advance(24 * 60 * 60_000);
    const again = await several.till.create('12.00', 'M-1', 60);
    expect(first.body).not.toHaveProperty('repeated');
    const createdAt = first.body['created_at'];
    expect(again.body).toMatchObject({
      transaction_status: 'approved',
      repeated: true,
      created_at: createdAt,
    });
    expect(several.clock.now() - Date.parse(String(createdAt))).toBeGreaterThan(23 * 60 * 60_000);
    expect(charged(several, 'main')).toBe(1);
  });

  it('that nobody knows is refused with the names that there are', async () => {
    const several = await withBar();
    const answer = await several.tillOf('cellar').create('12.00', 'C-1');
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'unknown_terminal',
        payment_state: 'not_started',
        message: expect.stringContaining('"main", "bar"') as string,
      },
    });
    expect((await several.get('/health', { 'x-terminal': 'cellar' })).status).toBe(400);
  });

  it('is found by the reference where the till names none, or the wrong one', async () => {
    const several = await withBar();
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    for (const till of [several.till, several.tillOf('main'), several.tillOf('bar')]) {
      const { body } = await till.query('B-1');
      expect(body).toMatchObject({ transaction_status: 'approved', terminal: 'bar' });
    }
    expect((await several.till.query('nowhere')).body.code).toBe('payment_not_found');

    const wrong = await several.tillOf('main').void('B-1');
    expect(wrong.body).toMatchObject({ code: 'reference_on_other_terminal', terminal: 'main' });
    expect((await several.till.query('B-1')).body['transaction_status']).toBe('approved');
    expect((await several.till.void('B-1')).body).toMatchObject({ success: true, terminal: 'bar' });
    expect((await several.till.query('B-1')).body['transaction_status']).toBe('voided');
  });

  it('is where the payment is that a cancel names', async () => {
    const several = await withBar();
    // A slow host: 30 seconds in which it can be cancelled.
    const paying = await several.tillOf('bar').create('20.07', 'B-7');
    expect(paying.body['transaction_status']).toBe('in_progress');
    expect((await several.till.cancel()).body.code).toBe('no_payment_in_progress');
    expect((await several.tillOf('main').cancel('B-7')).body.code).toBe('reference_on_other_terminal');
    expect((await several.till.cancel('B-7')).body).toMatchObject({ success: true, terminal: 'bar' });
    expect((await several.till.query('B-7')).body['transaction_status']).toBe('cancelled');
  });

  it('closes its own day only', async () => {
    const several = await withBar();
    await several.till.create('12.00', 'M-1', 60);
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    const closed = await several.tillOf('bar').batch();
    expect(closed.body).toMatchObject({ success: true, batch: { count: 1, total: '13.00' } });
    expect((await several.till.query('B-1')).body['transaction_status']).toBe('settled');
    expect((await several.till.query('M-1')).body['transaction_status']).toBe('approved');
  });
});

/** A sale that each of these terminals is admitting until `decide`. */
function admitting(several: SeveralTerminals, reference: string, names: readonly string[]) {
  const read = Promise.withResolvers<void>();
  const caller = callerNow(several.clock, { allRead: () => read.promise });
  const creating = several.bridge.terminals
    .filter(({ name }) => names.includes(name))
    .map(({ payments }) =>
      payments.createPayment({ amountMinor: 1_200, reference, conditionCode: '00', caller }),
    );
  return {
    async decide() {
      read.resolve();
      return (await Promise.all(creating)).map((answer) => (answer.ok ? 'ok' : answer.refusal.code));
    },
  };
}

describe('a payment that two terminals are admitting at this moment', () => {
  it('is withdrawn on both by a cancel that names neither', async () => {
    const several = await withBar();
    const { decide } = admitting(several, 'R-1', ['main', 'bar']);
    expect((await several.till.cancel('R-1')).body).toMatchObject({
      success: true,
      message: expect.stringContaining('nothing was sent') as string,
    });
    expect(await decide()).toEqual(['withdrawn', 'withdrawn']);
    await several.ready();
    expect([charged(several, 'main'), charged(several, 'bar')]).toEqual([0, 0]);
    expect((await several.till.query('R-1')).body.code).toBe('payment_not_found');
  });

  it('is withdrawn on one by a cancel that names it, and starts on the other', async () => {
    const several = await withBar();
    const { decide } = admitting(several, 'R-1', ['main', 'bar']);
    expect((await several.tillOf('bar').cancel('R-1')).body).toMatchObject({
      success: true,
      terminal: 'bar',
    });
    expect(await decide()).toEqual(['ok', 'withdrawn']);
    expect((await several.till.query('R-1', 60)).body).toMatchObject({
      transaction_status: 'approved',
      terminal: 'main',
    });
  });

  it('is never told "not found" by a query: it waits for the one that starts', async () => {
    const several = await withBar();
    const { decide } = admitting(several, 'R-1', ['main', 'bar']);
    const query = several.tillOf('bar').query('R-1', 60);
    expect((await decide()).toSorted()).toEqual(['ok', 'reference_on_other_terminal']);
    expect((await query).body).toMatchObject({ success: true, terminal: 'main' });
  });

  it('is cancelled where it is in the journal, while another terminal is about to refuse it', async () => {
    const several = await withBar();
    // A slow host: 30 seconds in which it can be cancelled.
    await several.tillOf('bar').create('20.07', 'R-1');
    const { decide } = admitting(several, 'R-1', ['main']);
    expect((await several.till.cancel('R-1')).body).toMatchObject({ success: true, terminal: 'bar' });
    expect(await decide()).not.toContain('ok');
    expect((await several.till.query('R-1')).body).toMatchObject({
      transaction_status: 'cancelled',
      terminal: 'bar',
    });
  });
});

describe('a reference', () => {
  it('of one terminal is refused on the other, and its money is told', async () => {
    const several = await withBar();
    await several.tillOf('bar').create('13.00', 'R-1', 60);
    const again = await several.till.create('13.00', 'R-1', 60);
    expect(again).toMatchObject({
      status: 409,
      // Never "not_started": money was moved under this reference.
      body: { code: 'reference_on_other_terminal', payment_state: 'unknown' },
    });
    expect(charged(several, 'main')).toBe(0);
    // On its own terminal it is a repeat as ever.
    expect((await several.tillOf('bar').create('13.00', 'R-1')).body).toMatchObject({ repeated: true });
  });

  it('that comes for both at once is paid on one', async () => {
    const several = await withBar();
    for (const reference of ['R-1', 'R-2', 'R-3', 'R-4']) {
      const answers = await Promise.all(
        ['main', 'bar', 'main', 'bar'].map((name) => several.tillOf(name).create('12.00', reference, 60)),
      );
      const winners = new Set(answers.flatMap(({ body }) => (body.success ? [body['terminal']] : [])));
      expect(winners.size).toBe(1);
      for (const { body } of answers)
        if (!body.success) expect(body).toMatchObject({ code: 'reference_on_other_terminal' });
      await several.ready();
    }
    expect(charged(several, 'main') + charged(several, 'bar')).toBe(4);
  });

  it('stays known after its terminal was taken out of the configuration', async () => {
    const several = await withBar();
    await several.tillOf('bar').create('13.00', 'R-1', 60);
    await several.restart({ names: [], retired: ['bar'] });
    await several.ready();
    expect((await several.till.query('R-1')).body).toMatchObject({
      transaction_status: 'approved',
      terminal: 'bar',
    });
    expect((await several.till.create('13.00', 'R-1', 60)).body.code).toBe('reference_on_other_terminal');
    expect((await several.tillOf('bar').create('13.00', 'R-2')).body).toMatchObject({
      code: 'terminal_unavailable',
      message: expect.stringContaining('no longer in the configuration') as string,
    });
  });
});

describe('what is in doubt', () => {
  it('stops its own terminal alone, and shows in /health', async () => {
    const several = await withBar();
    // It takes the command and then answers nothing for 20 seconds.
    await several.tillOf('bar').create('20.09', 'B-9');
    await several.until(
      async () => (await several.till.query('B-9')).body['transaction_status'] === 'unknown',
      'a doubt',
    );
    expect((await several.tillOf('bar').create('12.00', 'B-10')).body.code).toBe('payment_unresolved');
    expect((await several.till.create('12.00', 'M-1', 60)).body['transaction_status']).toBe('approved');
    expect(await several.get('/health')).toMatchObject({
      status: 503,
      body: {
        success: false,
        message: expect.stringMatching(/^SIMULATED: Terminal "bar": One operation is in doubt/) as string,
        in_doubt: 1,
        terminals: [
          { name: 'main', success: true, in_doubt: 0 },
          { name: 'bar', success: false, in_doubt: 1 },
        ],
      },
    });
    expect((await several.get('/health', { 'x-terminal': 'main' })).status).toBe(200);
    expect((await several.get('/health', { 'x-terminal': 'bar' })).status).toBe(503);
  });

  it('is still told, and decided, after its terminal was taken out of the configuration', async () => {
    const several = await withBar();
    await several.tillOf('bar').create('20.09', 'B-9');
    const isInDoubt = async () => (await several.till.query('B-9')).body['transaction_status'] === 'unknown';
    await several.until(isInDoubt, 'a doubt');
    several.simulatorOf('bar').cutLine(3_600_000);
    await several.restart({ names: [], retired: ['bar'] });
    await several.ready();
    expect(await isInDoubt()).toBe(true);
    expect(await several.get('/health')).toMatchObject({ status: 503, body: { in_doubt: 1 } });
    const bar = several.bridge.terminals.find(({ name }) => name === 'bar');
    const [doubt] = bar?.payments.operationsInDoubt() ?? [];
    expect(
      bar?.payments.resolve({
        operationId: doubt?.operationId ?? '',
        resolution: 'not-charged',
        by: 'Ada Meier',
        reason: 'the terminal was sent back',
        terminalUnreachable: true,
      }).ok,
    ).toBe(true);
    expect((await several.get('/health')).status).toBe(200);
  });
});

/** Reads the stream for as long as a test lasts; gives each event with its id. */
async function listen(several: SeveralTerminals, headers: Record<string, string> = {}) {
  const gone = new AbortController();
  const response = await fetch(`${several.base}/events`, { headers, signal: gone.signal });
  const events: { name: string; id: string | null; data: Record<string, unknown> }[] = [];
  const payments = () => events.filter(({ name }) => name === 'payment');
  void (async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body ?? []) {
      const blocks = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data === undefined) continue;
        events.push({
          name: /^event: (.*)$/m.exec(block)?.[1] ?? '',
          id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
          data: JSON.parse(data) as Record<string, unknown>,
        });
      }
    }
  })().catch(() => {});
  return { status: response.status, events, payments, leave: () => gone.abort() };
}

describe('/events', () => {
  it('tell of all terminals by name, and go on in each journal where a reader left', async () => {
    const several = await withBar();
    const first = await listen(several);
    const barOnly = await listen(several, { 'x-terminal': 'bar' });
    await several.till.create('12.00', 'M-1', 60);
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    await several.until(() => first.payments().length === 4 && barOnly.payments().length === 2, 'the events');
    expect(
      first.payments().map(({ data }) => [data['terminal'], data['retrieval_reference_number']]),
    ).toEqual([
      ['main', 'M-1'],
      ['main', 'M-1'],
      ['bar', 'B-1'],
      ['bar', 'B-1'],
    ]);
    expect(first.events.slice(0, 2).map(({ name, data }) => [name, data['terminal']])).toEqual([
      ['terminal', 'main'],
      ['terminal', 'bar'],
    ]);
    expect(
      barOnly.payments().every(({ data, id }) => data['terminal'] === 'bar' && /^\d+-\w+$/.test(id ?? '')),
    ).toBe(true);

    // It leaves after the first event, and misses three and those of a third payment.
    const id = first.payments()[0]?.id ?? '';
    expect(id).toMatch(/^main=\d+-\w+,bar=\d+-\w+$/);
    first.leave();
    barOnly.leave();
    await several.tillOf('bar').create('14.00', 'B-2', 60);
    const again = await listen(several, { 'last-event-id': id });
    await several.until(() => again.payments().length === 5, 'what was missed');
    await several.till.create('15.00', 'M-2', 60);
    await several.until(() => again.payments().length === 7, 'what comes now');
    const seen = again
      .payments()
      .map(
        ({ data }) => `${String(data['retrieval_reference_number'])} ${String(data['transaction_status'])}`,
      );
    expect(new Set(seen).size).toBe(7);
    expect(seen.filter((one) => one.startsWith('M-1'))).toEqual(['M-1 approved']);
    again.leave();
  });
});

describe('a journal that is damaged', () => {
  const barFolder = (several: SeveralTerminals) => path.join(several.folder, 'terminals', 'bar');

  it('of one terminal keeps nobody’s events of the others, and holds unknown references back everywhere', async () => {
    const several = await withBar();
    await several.till.create('11.00', 'M-0', 60);
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    const file = path.join(barFolder(several), 'journal.sqlite');
    await several.restart({}, () => flipByte(file, 20));
    await several.until(
      () => several.bridge.payments.status().terminal.connection === 'ready',
      'a main terminal that is ready',
    );
    expect((await several.get('/health')).status).toBe(503);
    expect(await several.get('/health', { 'x-terminal': 'main' })).toMatchObject({
      status: 503,
      body: {
        success: false,
        message: expect.stringMatching(/journal of the terminal "bar" may miss/) as string,
      },
    });
    const all = await listen(several, { 'last-event-id': 'main=0,bar=3' });
    expect(all.status).toBe(200);
    expect((await several.till.void('M-0')).body.success).toBe(true);
    await several.until(
      () => all.payments().some(({ data }) => data['transaction_status'] === 'voided'),
      'the void on the main terminal',
    );
    // It keeps its place in the journal that cannot be read.
    expect(all.payments().at(-1)?.id).toMatch(/^main=\d+-\w+,bar=3$/);
    expect((await several.till.create('12.00', 'M-1', 60)).body).toMatchObject({
      code: 'journal_unavailable',
    });
    expect((await several.till.query('B-1')).body.code).toBe('journal_unavailable');
    expect(charged(several, 'main')).toBe(1);
    all.leave();
  });

  it('and was repaired with a loss holds new references back on all terminals until a person has seen it', async () => {
    const several = await withBar();
    await several.till.create('12.00', 'M-1', 60);
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    await several.restart({}, () => {
      const file = path.join(barFolder(several), 'journal.sqlite');
      const lost = '"reference":"B-1';
      flipByte(file, readFileSync(file).lastIndexOf(lost) + lost.length - 1);
      const repairing = { ...repairOptions, folder: barFolder(several), clock: several.clock };
      expect(openJournal(repairing).kind).toBe('damaged');
      expect(repairJournal(repairing)).toMatchObject({ kind: 'repaired' });
    });
    await several.ready();
    // Nobody can tell whether it was paid on the other terminal: the loss may hold just this one.
    for (const till of [several.till, several.tillOf('bar')])
      expect((await till.create('13.00', 'B-1', 60)).body).toMatchObject({ code: 'payment_unresolved' });
    expect([charged(several, 'main'), charged(several, 'bar')]).toEqual([1, 1]);
    for (const name of ['main', 'bar'])
      expect((await several.get('/health', { 'x-terminal': name })).status).toBe(503);
    // What is known stays known.
    expect((await several.till.create('12.00', 'M-1', 60)).body).toMatchObject({ repeated: true });

    const bar = several.bridge.terminals.find(({ name }) => name === 'bar');
    for (const { discrepancyId } of bar?.payments.discrepancies() ?? [])
      bar?.payments.acknowledge({ discrepancyId, by: 'Ada Meier', reason: 'checked with the slips' });
    expect((await several.get('/health')).status).toBe(200);
    expect((await several.till.create('14.00', 'M-2', 60)).body['transaction_status']).toBe('approved');
  });
});

describe('/metrics', () => {
  it('have the name of the terminal', async () => {
    const several = await withBar();
    await several.tillOf('bar').create('13.00', 'B-1', 60);
    const text = await (await fetch(`${several.base}/metrics`)).text();
    expect(text).toContain('tillbridge_payment_changes_total{terminal="bar",status="approved"} 1\n');
    expect(text).toContain('tillbridge_payment_changes_total{terminal="main",status="approved"} 0\n');
    expect(text).toContain('tillbridge_operations_in_doubt{terminal="bar"} 0\n');
  });
});
