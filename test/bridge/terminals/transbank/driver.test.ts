/** The Transbank driver: what goes over the line, and what each answer, silence and damage comes to. */
import { describe, expect, it } from 'vitest';
import { approved, createKit, frameOf, inDoubt, order, type Kit, type Terminal } from './driver-kit.ts';
import type { OperationInDoubt } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { batch, voidOf, sale as saleStarted } from '../../journal/sample-events.ts';

const ready = (terminal: Terminal) => terminal.ack();
const answering = (command: string, values?: Parameters<Terminal['say']>[1]) => (terminal: Terminal) => {
  terminal.ack();
  terminal.say(command, values);
};
const silent = () => {};
const refused = { ...approved, authorizationCode: '', operationNumber: '' };
/** The lines of a detail, and its end. */
const list =
  (...tickets: string[]) =>
  (terminal: Terminal) => {
    terminal.ack();
    for (const [index, ticket] of tickets.entries())
      terminal.say('0261', { ...approved, ticket, operationNumber: String(index + 1) });
    terminal.say('0261', { responseCode: '00' });
  };
const sell = (kit: Kit) => kit.clock.run(kit.driver.sale(order, kit.watch), 'the sale', 20 * 60_000);
const look = (kit: Kit, ofWhat: OperationInDoubt) =>
  kit.clock.run(kit.driver.lookUp?.(ofWhat) ?? Promise.reject(new Error('none')), 'the look-up');
const lookUp = (kit: Kit, ...parameters: Parameters<typeof inDoubt>) => look(kit, inDoubt(...parameters));
/** Once more where it has to be, 10 s later. */
async function lookTwice(kit: Kit, ofWhat: OperationInDoubt) {
  const first = await look(kit, ofWhat);
  await kit.clock.advance(10_000);
  return first.kind === 'pending' ? look(kit, ofWhat) : first;
}

describe('a poll', () => {
  it('is answered by an ACK', async () => {
    const kit = createKit(ready);
    expect(await kit.clock.run(kit.driver.prepare(), 'a poll')).toMatchObject({
      kind: 'ready',
      terminal: { protocol: 'transbank', terminalId: null },
      lastRecord: { kind: 'unavailable' },
    });
    expect(kit.seen).toEqual(['0100']);
  });

  it('is repeated twice, and then the terminal is silent', async () => {
    const kit = createKit(silent, silent, silent);
    expect(await kit.clock.run(kit.driver.prepare(), 'a poll')).toMatchObject({ kind: 'silent' });
    expect(kit.seen).toEqual(['0100', '0100', '0100']);
  });

  it('is not answered by an ACK that came late and may be that of a sale', async () => {
    const kit = createKit(silent, silent, silent, silent);
    expect((await sell(kit)).kind).toBe('unknown');
    const poll = kit.driver.probe();
    kit.terminal.ack();
    expect(await kit.clock.run(poll, 'a poll')).toMatchObject({ kind: 'silent' });
  });

  it('is not answered by it either where an ACK to a poll before that sale comes late as well', async () => {
    const kit = createKit(silent, (terminal) => terminal.ack(), silent, silent, silent, silent);
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'ready' });
    expect((await sell(kit)).kind).toBe('unknown');
    const poll = kit.driver.probe();
    kit.terminal.ack();
    await kit.clock.advance(10);
    kit.terminal.ack();
    expect(await kit.clock.run(poll, 'a poll')).toMatchObject({ kind: 'silent' });
  });

  it('is not answered by it either where a NAK to a poll came while the sale waited for its own', async () => {
    const kit = createKit(silent, silent, silent, (terminal) => terminal.nak(), silent, silent, silent);
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'silent' });
    expect((await sell(kit)).kind).toBe('unknown');
    const poll = kit.driver.probe();
    kit.terminal.ack();
    expect(await kit.clock.run(poll, 'a poll')).toMatchObject({ kind: 'silent' });
  });

  it('behind a sale whose ACK was lost is answered by its second ACK', async () => {
    const kit = createKit(silent);
    expect((await sell(kit)).kind).toBe('unknown');
    for (let poll = 0; poll < 2; poll += 1)
      expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'ready' });
    expect(kit.seen).toEqual(['0200 ABC123', '0100', '0100', '0100']);
  });
});

describe('a sale', () => {
  it('is done once the terminal says so, and acknowledged once it is on disk', async () => {
    const kit = createKit((terminal) => {
      terminal.ack();
      for (const status of ['78', '81', '82']) terminal.say('0900', { status });
      terminal.say('0210', approved);
    });
    expect(await sell(kit)).toMatchObject({
      kind: 'done',
      record: {
        kind: 'payment',
        approved: true,
        amountMinor: 2_500,
        currency: 'CLP',
        terminalId: '75001089',
        receiptNumber: '000064',
        approvalCode: '181278',
        maskedCardNumber: '****6590',
        cardScheme: 'Visa',
      },
    });
    await kit.clock.advance(0);
    expect(kit.seen).toEqual(['0200 ABC123', 'ACK', 'ACK', 'ACK', 'ACK']);
    expect(kit.progress).toEqual(['Read card', 'Enter PIN', 'Waiting for the bank']);
    expect(kit.disk.results).toHaveLength(1);
  });

  it.each([
    ['01', 'declined'],
    ['07', 'cancelled'],
    ['13', 'declined'],
    ['26', 'declined'],
    ['02', 'unknown'],
    ['22', 'unknown'],
    ['94', 'unknown'],
    ['99', 'declined'],
    ['', 'unknown'],
    ['0', 'unknown'],
    ['000', 'unknown'],
    ['OK', 'unknown'],
  ])('with code "%s" is %s', async (responseCode, kind) => {
    const kit = createKit(answering('0210', { ...refused, responseCode }));
    expect((await sell(kit)).kind).toBe(kind);
  });

  it.each(['authorizationCode', 'operationNumber'] as const)(
    'that is refused with an approval’s %s is in doubt, and nothing of it stands',
    async (field) => {
      const values = { ...refused, responseCode: '24', [field]: approved[field] ?? '' };
      const kit = createKit(answering('0210', values));
      expect(await sell(kit)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('out of paper'),
      });
      expect(kit.disk.results).toEqual([]);
    },
  );

  it('of which the terminal is not sure leaves nothing that stands against what it says later', async () => {
    const kit = createKit(answering('0210', { ...refused, responseCode: '02' }));
    await sell(kit);
    await kit.clock.advance(0);
    expect(kit.disk.results).toEqual([]);
    expect(kit.seen).toEqual(['0200 ABC123', 'ACK']);
  });

  it.each([
    ['another amount', { amount: '2600' }],
    ['a lower amount', { amount: '2400' }],
    ['no amount', { amount: '' }],
    ['a tip on top of it', { tip: '250' }],
    ['change paid out', { tip: '0', change: '5000' }],
    ['change that cannot be read', { change: '5.000' }],
  ])('that was approved with %s is in doubt, and what came is on disk', async (_what, part) => {
    const kit = createKit(answering('0210', { ...approved, ...part }));
    expect((await sell(kit)).kind).toBe('unknown');
    expect(kit.disk.results).toMatchObject([{ approved: true }]);
  });

  it('may have a tip where tips are allowed, on top of what was asked for or in the amount', async () => {
    for (const part of [
      { tip: '250', change: '0 ' },
      { amount: '2750', tip: '250' },
    ]) {
      const kit = createKit(answering('0210', { ...approved, ...part }));
      const answer = kit.driver.sale({ ...order, maxAmountMinor: 2_750 }, kit.watch);
      expect(await kit.clock.run(answer, 'the sale')).toMatchObject({
        kind: 'done',
        record: { amountMinor: 2_750 },
      });
    }
  });

  it.each(['tip', 'change'])(
    'with a %s is told late without an amount: what was taken depends on what was asked for',
    async (added) => {
      const kit = createKit();
      kit.terminal.say('0210', { ...approved, [added]: '250' });
      await kit.clock.advance(10);
      expect(kit.seen).toEqual([]);
      expect(kit.late.results).toMatchObject([{ approved: true, amountMinor: null, currency: null }]);
    },
  );

  it('is not decided by a late result that says neither yes nor no', async () => {
    const kit = createKit();
    kit.late.adopt = true;
    kit.terminal.say('0210', { ...approved, responseCode: '' });
    await kit.clock.advance(10);
    expect([kit.seen, kit.late.results]).toEqual([['ACK'], []]);
  });

  it('is never sent again after silence', async () => {
    const kit = createKit(silent);
    expect((await sell(kit)).kind).toBe('unknown');
    expect(kit.seen).toEqual(['0200 ABC123']);
  });

  it('waits for the response where something came that may have been the ACK', async () => {
    const kit = createKit((terminal) => terminal.bytes(Uint8Array.of(0xff)));
    const answer = sell(kit);
    await kit.clock.advance(30_000);
    kit.terminal.say('0210', approved);
    expect((await answer).kind).toBe('done');
    expect(kit.seen[0]).toBe('0200 ABC123');
    expect(kit.seen.filter((one) => one.startsWith('0200'))).toHaveLength(1);
  });

  it('is sent again after a NAK, three times in all', async () => {
    const refuse = (terminal: Terminal) => terminal.nak();
    const kit = createKit(refuse, refuse, refuse);
    expect((await sell(kit)).kind).toBe('unknown');
    expect(kit.seen).toEqual(['0200 ABC123', '0200 ABC123', '0200 ABC123']);
  });

  it('is not sent again after a NAK that may be owed to an earlier question', async () => {
    // The first copy of the poll was not answered in time; its NAK comes when the sale is on the line.
    const kit = createKit(silent, ready, (terminal) => terminal.nak());
    await kit.clock.run(kit.driver.probe(), 'a poll');
    expect((await sell(kit)).kind).toBe('unknown');
    expect(kit.seen.filter((one) => one.startsWith('0200'))).toEqual(['0200 ABC123']);
  });

  it('has its response sent again where that was damaged', async () => {
    const damaged = frameOf('0210', approved);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const kit = createKit((terminal) => {
      terminal.ack();
      terminal.bytes(damaged);
    });
    const answer = sell(kit);
    await kit.clock.advance(100);
    expect(kit.seen).toEqual(['0200 ABC123', 'NAK']);
    kit.terminal.say('0210', approved);
    expect((await answer).kind).toBe('done');
  });

  it('takes no other ticket for its own, and offers it as late', async () => {
    const kit = createKit((terminal) => {
      terminal.ack();
      terminal.say('0210', { ...approved, ticket: 'OLD001' });
      terminal.say('0210', approved);
    });
    kit.late.adopt = true;
    expect((await sell(kit)).kind).toBe('done');
    expect(kit.late.results).toMatchObject([{ approved: true }]);
    expect(kit.disk.results).toHaveLength(1);
  });

  it('that cannot be written is not acknowledged, and in doubt', async () => {
    const kit = createKit(answering('0210', approved));
    kit.disk.writable = false;
    expect((await sell(kit)).kind).toBe('unknown');
    await kit.clock.advance(0);
    expect(kit.seen).toEqual(['0200 ABC123']);
  });

  it('whose response comes again is acknowledged again, and booked once', async () => {
    const kit = createKit(answering('0210', approved));
    await sell(kit);
    kit.terminal.say('0210', approved);
    await kit.clock.advance(10);
    expect(kit.seen).toEqual(['0200 ABC123', 'ACK', 'ACK']);
    expect([kit.disk.results.length, kit.late.results.length]).toEqual([1, 0]);
  });

  it('is in doubt when the cable is pulled behind the ACK, and not started where it was out before', async () => {
    const pulled = createKit((terminal) => {
      terminal.ack();
      terminal.unplug();
    });
    expect((await sell(pulled)).kind).toBe('unknown');
    expect(await sell(pulled)).toMatchObject({ kind: 'not_started', refusedByTerminal: false });
  });

  it('is in doubt when the terminal says nothing more', async () => {
    const kit = createKit(ready);
    expect(await sell(kit)).toEqual({ kind: 'unknown', reason: 'The terminal did not answer in time.' });
  });
});

describe('after a sale', () => {
  it('that wants the batch closed, only a close may run', async () => {
    const kit = createKit(
      answering('0210', { ...refused, responseCode: '13' }),
      ready,
      answering('0710', { responseCode: '00', count: '1', total: '2000' }),
      answering('0510', { responseCode: '00' }),
      ready,
    );
    await sell(kit);
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({
      kind: 'attention',
      requiredAction: 'batch_close',
    });
    const close = await kit.clock.run(
      kit.driver.closeBatch({ currency: 'CLP', terminalId: null }, kit.watch),
      'the close',
    );
    expect(close).toMatchObject({ kind: 'done', record: { kind: 'batch_close', amountMinor: 2_000 } });
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'ready' });
  });

  it('that wants keys, they are loaded before the next', async () => {
    const kit = createKit(
      answering('0210', { ...refused, responseCode: '26' }),
      answering('0810', { responseCode: '00' }),
      ready,
    );
    await sell(kit);
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({ kind: 'ready' });
    expect(kit.seen.filter((one) => one !== 'ACK')).toEqual(['0200 ABC123', '0800', '0100']);
  });
});

describe('a batch close', () => {
  const expected = approved.terminalId ?? null;
  const totals = answering('0710', { responseCode: '00', count: '0', total: '0' });
  const close = (kit: Kit) =>
    kit.clock.run(kit.driver.closeBatch({ currency: 'CLP', terminalId: expected }, kit.watch), 'the close');

  it.each([
    ['the terminal that it is for', expected, 'done', 1],
    ['one that does not say which it is', '', 'done', 1],
    ['another terminal', '75009999', 'unknown', 0],
  ])('that is answered by %s', async (_what, terminalId, kind, results) => {
    const kit = createKit(totals, answering('0510', { responseCode: '00', terminalId: terminalId ?? '' }));
    expect((await close(kit)).kind).toBe(kind);
    expect(kit.disk.results).toHaveLength(results);
  });

  it.each([
    ['01', 'declined', 1],
    ['', 'unknown', 0],
    ['03', 'unknown', 0],
  ])('with code "%s" is %s', async (responseCode, kind, results) => {
    const kit = createKit(totals, answering('0510', { responseCode, terminalId: expected ?? '' }));
    expect((await close(kit)).kind).toBe(kind);
    expect(kit.disk.results).toHaveLength(results);
  });
});

describe('before a batch close', () => {
  const totals = answering('0710', { responseCode: '00', count: '1', total: '2500' });
  const closed = answering('0510', { responseCode: '00' });
  const unsettled = ['FIRST1', 'ABC123'];
  const close = (kit: Kit) =>
    kit.clock.run(
      kit.driver.closeBatch({ currency: 'CLP', terminalId: '75001089', unsettled }, kit.watch),
      'the close',
    );
  const sent = (kit: Kit) => kit.seen.filter((one) => one !== 'ACK');

  it('the list shows which payments it is to settle', async () => {
    const kit = createKit(list(...unsettled), totals, closed);
    expect((await close(kit)).kind).toBe('done');
    expect([sent(kit), kit.notInBatch]).toEqual([['0260', '0700', '0500'], []]);
  });

  it('what the list does not have is on disk, or nothing is closed', async () => {
    const kit = createKit(list('OTHER1', 'ABC123'), totals, closed);
    expect((await close(kit)).kind).toBe('done');
    expect(kit.notInBatch).toEqual([{ undone: [], differing: [], untold: ['FIRST1'] }]);
    const full = createKit(list('OTHER1', 'ABC123'), totals, closed);
    full.disk.writable = false;
    expect((await close(full)).kind).toBe('not_started');
    expect(sent(full)).toEqual(['0260']);
  });

  it.each([
    ['breaks off', answering('0261', approved)],
    ['is another terminal’s', answering('0261', { responseCode: '00', terminalId: '75009999' })],
  ])('a list that %s keeps it from being sent', async (_what, play) => {
    const kit = createKit(play);
    expect((await close(kit)).kind).toBe('not_started');
    expect([sent(kit), kit.notInBatch]).toEqual([['0260'], []]);
  });
});

describe('a void', () => {
  const voidOrder = {
    amountMinor: 2_500,
    currency: 'CLP',
    receiptNumber: '2',
    traceNumber: null,
    terminalId: null,
    terminalReference: 'VOID01',
    originalTerminalReference: 'ABC123',
  } as const;
  const reverse = (kit: Kit) => kit.clock.run(kit.driver.void(voidOrder, kit.watch), 'the void');

  it('goes by the operation number, once the list has shown whose it is', async () => {
    const kit = createKit(
      list('FIRST1', 'ABC123'),
      answering('1210', { responseCode: '00', operationNumber: '2' }),
    );
    expect(await reverse(kit)).toMatchObject({
      kind: 'done',
      record: { kind: 'reversal', amountMinor: 2_500 },
    });
    expect(kit.seen.filter((one) => one !== 'ACK')).toEqual(['0260', '1200 2']);
  });

  it.each([
    ['the number is another customer’s by now', list('FIRST1', 'OTHER1')],
    ['the batch was closed', list()],
    ['the list breaks off', answering('0261', { ...approved })],
  ])('is not sent where %s', async (_what, play) => {
    const kit = createKit(play);
    expect(await reverse(kit)).toMatchObject({ kind: 'not_started' });
    expect(kit.seen.filter((one) => one.startsWith('1200'))).toEqual([]);
  });

  it.each([
    ['08', '', 'declined', 1],
    ['04', '', 'unknown', 0],
    ['03', '', 'unknown', 0],
    ['', '', 'unknown', 0],
    ['05', '181279', 'unknown', 0],
  ])(
    'with code "%s" and approval code "%s" is %s',
    async (responseCode, authorizationCode, kind, results) => {
      const answer = { responseCode, authorizationCode, operationNumber: '000002' };
      const kit = createKit(list('FIRST1', 'ABC123'), answering('1210', answer));
      expect((await reverse(kit)).kind).toBe(kind);
      expect(kit.disk.results).toHaveLength(results);
    },
  );

  it.each([
    ['another operation', '1', 'unknown'],
    ['no operation', '', 'done'],
  ])('whose answer names %s is %s', async (_what, operationNumber, kind) => {
    const kit = createKit(
      list('FIRST1', 'ABC123'),
      answering('1210', { responseCode: '00', authorizationCode: '181279', operationNumber }),
    );
    expect((await reverse(kit)).kind).toBe(kind);
  });
});

describe('the answer to a void that comes late', () => {
  const refund = { responseCode: '00', authorizationCode: '181279', operationNumber: '000002' };

  it.each([
    ['is offered with the number of what it undoes', refund, 1],
    ['is not offered where it decides nothing', { ...refund, responseCode: '03' }, 0],
    ['is not offered where the payment was voided before', { ...refund, responseCode: '04' }, 0],
  ])('%s', async (_what, values, offered) => {
    const kit = createKit();
    kit.late.adopt = true;
    kit.terminal.say('1210', values);
    await kit.clock.advance(10);
    expect([kit.late.results.length, kit.seen]).toEqual([offered, ['ACK']]);
    if (offered > 0)
      expect(kit.late.results).toMatchObject([
        { kind: 'reversal', receiptNumber: '000002', amountMinor: null },
      ]);
  });
});

describe('a sale in doubt', () => {
  const lastSale = (values: Parameters<Terminal['say']>[1]) => answering('0260', values);

  it.each<[string, Parameters<Terminal['say']>[1], string, boolean]>([
    ['is the last one, approved', approved, 'record', true],
    ['is the last one, refused', { ...refused, responseCode: '01' }, 'record', false],
    ['is the last one, with a tip on top', { ...approved, tip: '250' }, 'record', true],
    ['is the last one, with change paid out', { ...approved, change: '5000' }, 'record', true],
  ])('%s', async (_what, values, kind, isApproved) => {
    expect(await lookUp(createKit(lastSale(values)))).toMatchObject({
      kind,
      record: { approved: isApproved },
    });
  });

  const other = lastSale({ ...approved, ticket: 'LATER1' });
  it.each<[string, (terminal: Terminal) => void, string | undefined, string]>([
    ['is in the list', list('FIRST1', 'ABC123', 'LATER1'), undefined, 'record'],
    ['is not in the list of a batch that nobody knows', list('LATER1'), 'FIRST1', 'unavailable'],
    ['is not in the list, and nothing is known of the batch', list('LATER1'), undefined, 'unavailable'],
    ['is not in an empty list', list(), 'FIRST1', 'unavailable'],
    ['is looked for in a list that breaks off', answering('0261', approved), 'FIRST1', 'unavailable'],
  ])('%s', async (_what, play, anchor, kind) => {
    expect((await lookUp(createKit(other, play), anchor)).kind).toBe(kind);
  });

  const totals = (count: string) => answering('0710', { responseCode: '00', count, total: '0' });
  it.each<[string, (terminal: Terminal) => void, string]>([
    ['as many', totals('2'), 'empty'],
    // Those that were voided may be in the one and not in the other.
    ['fewer', totals('1'), 'empty'],
    ['more', totals('3'), 'unavailable'],
    ['nobody knows how many', answering('0710', { responseCode: '01' }), 'unavailable'],
  ])('is not in the list of the same batch, and the terminal counts %s', async (_what, play, kind) => {
    const held = list('FIRST1', 'LATER1');
    const kit = createKit(other, held, play, held, play);
    expect((await lookTwice(kit, inDoubt('FIRST1'))).kind).toBe(kind);
  });

  it('is missing only at the second look, 10 s after the first, for which no voucher is printed', async () => {
    const held = list('FIRST1', 'LATER1');
    const kit = createKit(other, held, totals('2'), held, totals('2'));
    const doubt = inDoubt('FIRST1');
    expect((await look(kit, doubt)).kind).toBe('pending');
    await kit.clock.advance(9_000);
    expect((await look(kit, doubt)).kind).toBe('pending');
    await kit.clock.advance(1_000);
    expect((await look(kit, doubt)).kind).toBe('empty');
    expect(kit.seen.filter((one) => one !== 'ACK')).toEqual(['0250', '0260', '0700', '0260', '0700']);
  });

  it('is found at the second look where the terminal had not stored it yet at the first', async () => {
    const kit = createKit(other, list('FIRST1'), totals('1'), list('FIRST1', 'ABC123'));
    expect(await lookTwice(kit, inDoubt('FIRST1'))).toMatchObject({
      kind: 'record',
      record: { approved: true },
    });
  });

  it('is found behind a line that has lost its approval code', async () => {
    const kit = createKit(other, (terminal) => {
      terminal.ack();
      terminal.say('0261', { ...approved, ticket: 'FIRST1' });
      terminal.say('0261', { ...approved, ticket: '', authorizationCode: '      ' });
      terminal.say('0261', approved);
      terminal.say('0261', { responseCode: '00' });
    });
    expect(await lookUp(kit, 'FIRST1')).toMatchObject({ kind: 'record', record: { approved: true } });
  });

  it.each([
    ['', list('FIRST1', 'ABC123'), 'record'],
    ['', list('FIRST1'), 'unavailable'],
    ['24', list('FIRST1'), 'unavailable'],
  ])(
    'that the last sale tells unclearly (code "%s") is looked for in the list',
    async (responseCode, play, kind) => {
      const kit = createKit(lastSale({ ...approved, responseCode }), play);
      expect((await lookUp(kit, 'FIRST1')).kind).toBe(kind);
    },
  );

  it.each<[string, (terminal: Terminal) => void, string | undefined, string]>([
    ['has it', list('ABC123'), undefined, 'record'],
    ['does not have it', list('FIRST1'), 'FIRST1', 'empty'],
    ['proves nothing', list('LATER1'), 'FIRST1', 'unavailable'],
  ])('of which the terminal is not sure is decided by the list: it %s', async (_what, play, anchor, kind) => {
    const kit = createKit(lastSale({ ...refused, responseCode: '22' }), play, totals('1'), play, totals('1'));
    const told = await lookTwice(kit, inDoubt(anchor));
    expect(told.kind).toBe(kind);
    if (told.kind === 'record') expect(told.record.approved).toBe(true);
  });

  it('is not missing in a list that ends at a line which names a sale', async () => {
    const unread = { ...approved, responseCode: '' };
    const kit = createKit(other, (terminal) => {
      terminal.ack();
      terminal.say('0261', { ...approved, ticket: 'FIRST1' });
      terminal.say('0261', unread);
      terminal.say('0261', { responseCode: '00' });
    });
    expect((await lookUp(kit, 'FIRST1')).kind).toBe('unavailable');
  });

  it('cannot be told of where the terminal holds nothing at all', async () => {
    const kit = createKit(lastSale({ responseCode: '11' }), list());
    expect((await lookUp(kit, 'FIRST1')).kind).toBe('unavailable');
  });

  it('cannot be told of by a terminal that is silent', async () => {
    expect((await lookUp(createKit(silent, silent, silent), 'FIRST1')).kind).toBe('unavailable');
  });
});

describe('a close or a void in doubt', () => {
  const totals = (count: string) => answering('0710', { responseCode: '00', count, total: '0' });
  const terminal = { protocol: 'transbank', terminalId: '75001089' } as const;
  /** A list of these tickets, with the id at its end. */
  const named =
    (terminalId: string, ...tickets: string[]) =>
    (one: Terminal) => {
      one.ack();
      for (const ticket of tickets) one.say('0261', { ...approved, ticket, terminalId });
      one.say('0261', { responseCode: '00', terminalId });
    };
  const doubtOf = (expected: number) => ({
    unsettled: ['FIRST1', 'LATER1'],
    operation: batch({ currency: 'CLP', terminal, expected: { count: expected, totalMinor: 0 } }),
    result: null,
    acknowledged: false,
    showsRecords: false,
  });

  it.each([
    ['75001089', ['OTHER1'], 2, 'unavailable'],
    ['75001089', [], 2, 'record'],
    ['75001089', [], 0, 'unavailable'],
    ['75009999', ['LATER1'], 2, 'pending'],
    ['75009999', [], 2, 'pending'],
    ['', [], 2, 'unavailable'],
  ])('on the terminal "%s" that holds %j, %i expected: %s', async (terminalId, tickets, expected, kind) => {
    const kit = createKit(named(terminalId, ...tickets), totals(String(tickets.length)));
    expect((await look(kit, doubtOf(expected))).kind).toBe(kind);
  });

  it('did not happen where it holds one of ours at two looks', async () => {
    const held = named('75001089', 'OTHER1', 'LATER1');
    expect((await lookTwice(createKit(held, held), doubtOf(2))).kind).toBe('empty');
    // It was at the close at the first.
    const closing = createKit(held, named('75001089'), totals('0'));
    expect((await lookTwice(closing, doubtOf(2))).kind).toBe('record');
  });

  it('is no close where only a person has said that the batch held something', async () => {
    const kit = createKit(named('75001089'), totals('0'));
    const doubt = { ...doubtOf(1), toldBefore: { count: 0, totalMinor: 0 } };
    expect((await look(kit, doubt)).kind).toBe('unavailable');
  });

  it('is a person’s to decide once a poll has told that another terminal is there', async () => {
    const other = named('75009999');
    const kit = createKit(other, ready, other);
    expect((await look(kit, doubtOf(2))).kind).toBe('pending');
    expect(await kit.clock.run(kit.driver.probe(), 'a poll')).toMatchObject({
      terminal: { terminalId: '75009999' },
    });
    expect((await look(kit, doubtOf(2))).kind).toBe('unavailable');
  });

  it('is a person’s to decide where it is a void', async () => {
    const kit = createKit();
    const operation = voidOf(saleStarted({ terminal, currency: 'CLP' }));
    const doubt = { operation, result: null, acknowledged: false, showsRecords: false };
    expect((await look(kit, doubt)).kind).toBe('unavailable');
    expect(kit.seen).toEqual([]);
  });
});
