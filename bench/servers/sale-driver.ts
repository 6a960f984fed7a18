/**
 * The frames alone: `sale-driver.ts PORT` attaches the ZVT driver to the serial line PORT, with no bridge around it.
 * On the message `sale` it makes one sale and answers how long that took in milliseconds; on `look` it looks at the
 * terminal as a bridge does after each operation, and answers when that is done.
 */
import { createSerialLine } from '../../src/bridge/lines/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { createZvtProtocol } from '../../src/bridge/terminals/zvt/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { usualSerialSettings } from '../../src/contract/serial-settings.ts';

const [path = ''] = process.argv.slice(2);
const { zvt, currency } = configurationSchema.parse({ terminal: `serial:${path}`, dataDir: '.' });
const line = createSerialLine({ path, settings: usualSerialSettings('zvt'), clock: systemClock });
const connection = await line.open(new AbortController().signal);
const driver = createZvtProtocol({
  framing: 'serial',
  settings: zvt,
  currency,
  clock: systemClock,
  log: silentLog,
}).attach(connection, {
  progress() {},
  lateResult: () => false,
  mayBeAnother: () => true,
  traits: () => new Set(),
  learned() {},
});

async function demandReady(look: () => ReturnType<typeof driver.probe>): Promise<void> {
  const readiness = await look();
  if (readiness.kind !== 'ready') throw new Error(`the terminal is not ready: ${JSON.stringify(readiness)}`);
}

async function sale(): Promise<number> {
  const startedMs = performance.now();
  const answer = await driver.sale(
    { amountMinor: 1_200, maxAmountMinor: 1_200, currency },
    { persistResult: () => true, resultRefused() {}, notInBatch: () => true, acknowledged() {}, timed() {} },
  );
  const tookMs = performance.now() - startedMs;
  if (answer.kind !== 'done') throw new Error(`the sale ended as ${answer.kind}`);
  return tookMs;
}

async function obey(message: unknown): Promise<void> {
  const answer = message === 'sale' ? await sale() : await demandReady(() => driver.probe());
  process.send?.(answer ?? 'ready');
}

await demandReady(() => driver.prepare());
process.on('message', (message) => void obey(message));
process.on('disconnect', () => process.exit());
console.log('The driver is ready');
