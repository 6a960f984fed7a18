/** The simulated KPay terminal over a real socket, with fresh keys, and the client as the till. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { createKpayClient } from '../../../src/bridge/terminals/kpay/client.ts';
import { createHttpTransport } from '../../../src/bridge/terminals/kpay/transport.ts';
import { createKpaySimulator } from '../../../src/simulator/kpay/kpay-simulator.ts';
import { serveKpaySimulator } from '../../../src/simulator/kpay/serve.ts';
import { readLedger } from '../../support/ledger.ts';
import { waitFor } from '../../support/real-time.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const host = '127.0.0.1';
const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

it('is charged once by a till that lost the answer to its sale', async () => {
  const folder = tempFolder('kpay-served');
  cleaning.push(() => rmSync(folder, { recursive: true }));
  const ledgerFile = join(folder, 'ledger.jsonl');
  const known = { appId: '202600000000001', appSecret: 'test-secret-not-real' };
  const simulator = createKpaySimulator({ ledgerFile, currency: 'HKD', ...known, timeScale: 0, clock });
  const served = await serveKpaySimulator(simulator, { host, port: 0 });
  cleaning.push(() => served.close());
  const till = createKpayClient({
    ...known,
    transport: createHttpTransport({ host, port: served.port, clock }),
    clock,
    chance: systemChance(clock),
  });
  simulator.queueScenario('answer_dropped');
  const sale = await till.send({
    call: 'sale',
    outTradeNo: 'A1',
    amountMinor: 10_000,
    tipsMinor: 0,
    currency: 'HKD',
    paymentType: null,
    includeReceipt: true,
    remark: '枱3',
  });
  expect(sale).toMatchObject({ kind: 'no_answer' });
  await waitFor(() => readLedger(ledgerFile).some(({ event }) => event === 'charged'), 'the charge');
  const query = await till.send({ call: 'query', outTradeNo: 'A1', includeReceipt: false });
  expect(query).toMatchObject({
    answer: { code: 10_000, data: { payResult: 2, payAmount: '000000010000' } },
  });
  expect(readLedger(ledgerFile).map(({ event }) => event)).toStrictEqual(['started', 'charged']);
});
