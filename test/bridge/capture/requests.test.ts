/** Captures of requests: recorded from a simulated KPay terminal, and played again to the driver. */
import { describe, expect, test } from 'vitest';
import { replayFile } from '../../../src/bridge/capture/index.ts';
import { kpayDialects } from '../../../src/simulator/kpay/dialects.ts';
import { kpaySimulatorKeys } from '../../support/kpay-terminal.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { captureFiles } from './capture-files.ts';
import { kpaySecret, startKpayRecording, usualDay, type RequestRecording } from './recording.ts';

const { fileOf, differencesIn } = captureFiles();

type Course = (recording: RequestRecording, clock: VirtualClock) => Promise<unknown>;

async function recorded(
  course: Course,
  more: Parameters<typeof startKpayRecording>[1] = {},
): Promise<string> {
  const clock = createVirtualClock();
  const recording = await clock.run(startKpayRecording(clock, more), 'the sign-in');
  await clock.run(course(recording, clock), 'the course', 30 * 60_000);
  return clock.run(recording.end(), 'the end');
}

const order = (amountMinor: number, terminalReference: string) => ({
  amountMinor,
  maxAmountMinor: amountMinor,
  currency: 'HKD' as const,
  terminalReference,
});

const courses: Record<string, Course> = {
  'a day': usualDay,
  async 'a sale whose answer is lost'({ driver, watch, losses }) {
    await driver.prepare();
    losses.lose('sale', 'answer');
    expect((await driver.sale(order(1_200, 'A00001'), watch)).kind).toBe('done');
  },
  async 'a sale that never arrives'({ driver, watch, losses }) {
    losses.lose('sale', 'request');
    expect((await driver.sale(order(1_200, 'A00001'), watch)).kind).toBe('not_started');
  },
  async 'a QR code that is paid after the stop'({ driver, watch, simulator }, clock) {
    simulator.queueScenario('paid_after_close');
    const sale = driver.sale(order(1_200, 'A00001'), watch);
    clock.after(3_000, () => driver.cancel());
    expect((await sale).kind).toBe('done');
  },
  async 'keys that are killed in the middle'({ driver, watch, simulator, others }) {
    simulator.queueScenario('keys_killed');
    await driver.sale(order(1_200, 'A00001'), watch);
    expect(others).toHaveLength(1);
  },
  async 'questions that nobody answers'({ driver, watch, simulator, losses }) {
    simulator.queueScenario('pending_for_ever');
    for (let lost = 0; lost < 3; lost += 1) losses.lose('query', 'answer');
    expect((await driver.sale(order(1_200, 'A00001'), watch)).kind).toBe('unknown');
  },
  async 'an answer that is no JSON'({ driver, watch, simulator }) {
    simulator.queueScenario('http_500');
    expect((await driver.sale(order(1_200, 'A00001'), watch)).kind).toBe('done');
  },
  async 'a terminal that is away for a while'({ driver, watch, simulator }) {
    await driver.prepare();
    simulator.cutLine(3_000);
    expect((await driver.probe()).kind).toBe('silent');
    expect((await driver.sale(order(1_200, 'A00001'), watch)).kind).toBe('not_started');
  },
};

describe.each(Object.entries(courses))('%s', (_what, course) => {
  test('is played without a difference', async () => {
    const capture = await recorded(course);
    expect(capture).toContain('"kind":"reply"');
    expect(await differencesIn(capture)).toEqual([]);
  });
});

test.each(Object.entries(kpayDialects))('a day with a terminal of the kind %s', async (_name, dialect) => {
  expect(await differencesIn(await recorded(usualDay, { dialect }))).toEqual([]);
});

test('the end of the connection in the middle of a sale', async () => {
  const clock = createVirtualClock();
  const recording = await clock.run(startKpayRecording(clock), 'the sign-in');
  recording.simulator.queueScenario('pending_for_ever');
  const sale = recording.driver.sale(order(1_200, 'A00001'), recording.watch);
  await clock.advance(10_500);
  await clock.run(recording.close(), 'the end of the connection');
  expect((await clock.run(sale, 'the sale')).kind).toBe('unknown');
  expect(await differencesIn(await clock.run(recording.end(), 'the end'))).toEqual([]);
});

test('a capture that breaks off anywhere is no difference', async () => {
  const lines = (await recorded(usualDay)).split('\n');
  for (const share of [0.2, 0.4, 0.6, 0.8]) {
    const cut = lines.slice(0, Math.trunc(lines.length * share)).join('\n');
    expect(await differencesIn(`${cut}\n{"t":99,"kind":"rep`)).toEqual([]);
  }
});

describe('nothing that signs or pays gets into the file', () => {
  const { appPrivateKey, platformPublicKey } = kpaySimulatorKeys;

  test.each(Object.entries(kpayDialects))(
    '%s: keys, the secret, signatures, nonces',
    async (_name, dialect) => {
      const capture = await recorded(courses['keys that are killed in the middle'] as Course, { dialect });
      expect(capture).toContain('"appPrivateKey":"***"');
      expect(capture).toContain('"appSecret":"***"');
      for (const key of [appPrivateKey, platformPublicKey])
        for (let from = 0; from + 24 <= key.length; from += 24)
          expect(capture).not.toContain(key.slice(from, from + 24));
      expect(capture).not.toContain(kpaySecret);
      expect(capture).not.toMatch(/[A-Za-z0-9+/]{64}/);
    },
  );
});

describe('a driver that would do otherwise now', () => {
  const changed = (capture: string, fits: RegExp, change: (line: string) => string): string => {
    const lines = capture.split('\n');
    const at = lines.findIndex((line) => fits.test(line));
    if (at === -1) throw new Error(`no line fits ${String(fits)}`);
    lines[at] = change(lines[at] ?? '');
    return lines.filter((line) => line !== '').join('\n');
  };

  test('sends another amount', async () => {
    const capture = changed(await recorded(usualDay), /"name":"sale"/, (line) =>
      line.replace('000000001200', '000000001201'),
    );
    expect(await differencesIn(capture)).toEqual([
      expect.stringMatching(/then it sent "sale" \(POST .*1201.*now it sent "sale" \(POST .*1200/),
    ]);
  });

  test('asks for what it did not, or not any more', async () => {
    const capture = await recorded(courses['a sale whose answer is lost'] as Course);
    const asked = /"kind":"request".*"name":"query"/;
    expect((await differencesIn(changed(capture, asked, () => '')))[0]).toMatch(
      /then it did nothing; now it sent "query"|then it sent "query".*; now it sent "query".* at /,
    );
    const twice = changed(capture, /"kind":"told","what":"persistResult"/, (line) => `${line}\n${line}`);
    expect(await differencesIn(twice)).toEqual([
      expect.stringMatching(/put a result on disk.*now it does nothing/),
    ]);
  });

  test('leaves out a header', async () => {
    const capture = changed(await recorded(usualDay), /"name":"sale"/, (line) =>
      line.replace('"signature"]', '"signature","more"]'),
    );
    expect(await differencesIn(capture)).toHaveLength(1);
  });

  test('comes to another result', async () => {
    const capture = changed(await recorded(usualDay), /"kind":"answer".*"kind":"done"/, (line) =>
      line.replace('"kind":"done"', '"kind":"unknown"'),
    );
    expect(await differencesIn(capture)).toEqual([
      expect.stringMatching(
        /then it ended sale with {"kind":"unknown".*now it ended sale with {"kind":"done"/,
      ),
    ]);
  });
});

test('a replay says what it cannot check, and how much it has played', async () => {
  const read = await replayFile(fileOf(await recorded(usualDay)));
  expect(read).toMatchObject({
    ok: true,
    replays: [{ protocol: 'kpay', frames: 0, unchecked: expect.stringMatching(/^Keys and signatures/) }],
  });
});
