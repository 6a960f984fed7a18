/** A close that takes longer than its caller waits, over HTTP: KPay's terminal is asked for each payment before it settles. */
import { afterEach, expect, it } from 'vitest';
import { kpayTerminal } from '../support/kpay-terminal.ts';
import { createTerminalRig, type TerminalRig } from '../support/terminal-rig.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { post } from '../bridge/listener/http.ts';
import { startListener } from '../bridge/listener/set-up.ts';

const references = Array.from({ length: 65 }, (_, index) => `R${index + 1}`);

let rig: TerminalRig | null = null;
afterEach(() => rig?.close());

async function inTheMiddleOfTheAsking() {
  const clock = createVirtualClock({ besideIo: true });
  const shop = createTerminalRig(kpayTerminal({ simulator: { timeScale: 0 } }), { clock });
  rig = shop;
  await shop.ready();
  for (const reference of references) expect(await shop.sell(12_400, reference)).toBe('approved');
  await shop.ready();
  const { port } = await startListener({ payments: shop.payments, clock, currency: 'HKD' });
  const ask = (path: string, body: object, prefer?: string) =>
    clock.run(post(port, path, body, prefer === undefined ? {} : { headers: { prefer } }), path);
  const askedAt = clock.elapsed();
  const first = ask('/SubmitBatch', {}).then((answer) => ({ ...answer, afterMs: clock.elapsed() - askedAt }));
  await shop.until(() => clock.elapsed() - askedAt > 30_000, 'the middle of the asking');
  return { shop, ask, first };
}

it('is answered with terminal_timeout after a minute, and whoever asks again waits for the same close', async () => {
  const { shop, ask, first } = await inTheMiddleOfTheAsking();
  const refused = {
    status: 504,
    json: {
      code: 'terminal_timeout',
      payment_state: 'unknown',
      message: expect.stringContaining('Ask again'),
    },
  };
  expect(await ask('/SubmitBatch', {}, 'wait=1')).toMatchObject(refused);
  expect(await first).toMatchObject({ ...refused, afterMs: 60_000 });
  expect(shop.sent('batch_close')).toBe(0);

  const both = [ask('/SubmitBatch', {}), ask('/SubmitBatch', {}, 'wait=300')];
  for (const answer of await Promise.all(both))
    expect(answer).toMatchObject({ status: 200, json: { success: true, batch: { batch_number: '1' } } });
  expect([shop.sent('batch_close'), shop.carriedOut('batch_close')]).toEqual([1, 1]);
  expect(shop.journal.closedBatches()).toBe(1);
  expect(new Set(references.map((reference) => shop.status(reference)))).toEqual(new Set(['settled']));
});

it('lets no payment and no void begin meanwhile, and says why', async () => {
  const { shop, ask, first } = await inTheMiddleOfTheAsking();
  const busy = {
    status: 409,
    json: { code: 'terminal_busy', message: expect.stringContaining('closing the batch') },
  };
  expect(await ask('/CreatePayment', { retrieval_reference_number: 'A-1', amount: '1.00' })).toMatchObject(
    busy,
  );
  expect(await ask('/VoidPayment', { retrieval_reference_number: 'R1' })).toMatchObject(busy);
  await first;
  expect([shop.sent('sale'), shop.sent('void')]).toEqual([references.length, 0]);
});
