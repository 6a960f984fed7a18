/** Captures of lines: recorded from a simulated terminal, and played again to the driver. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { replayCapture } from '../../../src/bridge/capture/index.ts';
import { ACK } from '../../../src/bridge/terminals/framing/index.ts';
import { protocolNames, protocolOf } from '../../../src/contract/protocols.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { watchDriver } from '../terminals/driver-watch.ts';
import { approved, frameOf, order } from '../terminals/transbank/driver-kit.ts';
import { captureFiles } from './capture-files.ts';
import { lineNames, record, startRecording, usualDay, type LineName } from './recording.ts';

const { differencesIn } = captureFiles();

async function recordedDay(name: LineName): Promise<string> {
  const clock = createVirtualClock();
  const recording = await startRecording(name, clock);
  await clock.run(usualDay(recording), 'a day');
  return clock.run(recording.end(), 'the end');
}

/** With the first line that fits put otherwise. */
function changed(capture: string, fits: RegExp, change: (line: string) => string): string {
  const lines = capture.split('\n');
  const at = lines.findIndex((line) => fits.test(line));
  if (at === -1) throw new Error(`no line fits ${String(fits)}`);
  lines[at] = change(lines[at] ?? '');
  return lines.filter((line) => line !== '').join('\n');
}

describe.each(lineNames)('a recorded day of %s', (name) => {
  test('is played without a difference', async () => {
    expect(await differencesIn(await recordedDay(name))).toEqual([]);
  });
});

describe('a day that was recorded once, on the clock of a real computer', () => {
  const recorded = join(import.meta.dirname, 'recorded');

  test.each(readdirSync(recorded))('%s: this version does the same', async (name) => {
    expect(await replayCapture(join(recorded, name))).toEqual([]);
  });

  test('there is one of each protocol that has a simulator', () => {
    const simulated = protocolNames.filter((name) => protocolOf(name).hasSimulator);
    expect(readdirSync(recorded)).toEqual(simulated.map((name) => `${name}.jsonl`).toSorted());
  });
});

describe('a driver that would do otherwise now', () => {
  test('sends another amount', async () => {
    const capture = changed(await recordedDay('transbank'), /"what":"sale"/, (line) =>
      line.replace('"amountMinor":1200', '"amountMinor":1201'),
    );
    const [first = '', ...others] = await differencesIn(capture);
    expect(first).toMatch(/^0\.000 s \(line \d+\): then it sent "sale" \(30:32:30:30:7c.*:32:30:30:7c/);
    expect(first).toContain('now it sent "sale"');
    // The answer fits no order any more.
    expect(others.at(0)).toContain('then it ended sale with {"kind":"done"');
    expect(others.at(0)).toContain('now it ended sale with {"kind":"unknown"');
  });

  test('comes to another result', async () => {
    const capture = changed(await recordedDay('zvt'), /"kind":"answer".*"kind":"done"/, (line) =>
      line.replace('"kind":"done"', '"kind":"unknown"'),
    );
    const found = await differencesIn(capture);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /then it ended sale with {"kind":"unknown".*now it ended sale with {"kind":"done"/,
    );
  });

  test('sends something that it did not', async () => {
    const capture = changed(await recordedDay('ecr-edc'), /"kind":"ack","from":"bridge"/, () => '');
    expect(await differencesIn(capture)).toEqual([
      expect.stringMatching(/s: then it did nothing; now it acknowledged a frame\.$/),
    ]);
  });

  test('does not send what it did', async () => {
    const capture = changed(
      await recordedDay('zvt'),
      /"kind":"ack","from":"bridge"/,
      (line) => `${line}\n${line}`,
    );
    expect(await differencesIn(capture)).toEqual([
      expect.stringMatching(/\(line \d+\): then it acknowledged a frame; now it does nothing\.$/),
    ]);
  });

  test('does the same at another time', async () => {
    const lines = (await recordedDay('transbank')).split('\n');
    const last = lines.findLastIndex((line) => line.includes('"from":"bridge"'));
    const later = lines.map((line, at) =>
      at < last ? line : line.replace(/"t":(\d+)/, (_whole, t) => `"t":${Number(t) + 4_000}`),
    );
    const found = await differencesIn(later.join('\n'));
    expect(found[0]).toMatch(/then it sent "poll" \(.*\); now it sent "poll" \(.*\) at \d+\.\d{3} s\.$/);
  });
});

test('bytes that are hidden are not compared', async () => {
  const capture = await recordedDay('zvt');
  // The password of the registration.
  expect(capture).toContain('"name":"registration","hex":"06:00:');
  expect(capture).toContain(':*ee:*ee:*ee:');
  expect(await differencesIn(capture.replaceAll(':*ee', ':*11'))).toEqual([]);
});

describe('what else goes over a line', () => {
  test('damage, noise, a frame that breaks off, a line that is cut and opened again', async () => {
    const clock = createVirtualClock();
    const { protocol, text } = await record('transbank', 'CLP', clock);
    const { owner, watch } = watchDriver();
    const [near, far] = createMemoryPair();
    const driver = protocol.attach(near, owner);
    const result = frameOf('0210', approved);
    const damaged = result.map((byte, at) => (at === 9 ? byte ^ 1 : byte));
    const sale = driver.sale(order, watch);
    await clock.advance(50);
    far.write(Uint8Array.of(ACK));
    await clock.advance(500);
    far.write(Uint8Array.of(0x00, 0x00));
    far.write(damaged);
    await clock.advance(500);
    far.write(result.subarray(0, 20));
    await clock.advance(3_000);
    void far.close();
    expect((await clock.run(sale, 'the sale')).kind).toBe('unknown');
    const [again, terminal] = createMemoryPair();
    const other = protocol.attach(again, owner);
    const probe = other.probe();
    await clock.advance(100);
    terminal.write(Uint8Array.of(ACK));
    expect((await clock.run(probe, 'the probe')).kind).toBe('ready');
    // Told again, because nobody acknowledged it.
    terminal.write(result);
    await clock.advance(100);
    const capture = text();
    for (const kind of ['damaged', 'discarded', 'broken_off', 'closed', 'nak'])
      expect(capture).toContain(`"kind":"${kind}"`);
    expect(capture).toContain('"what":"lateResult"');
    expect(await differencesIn(capture)).toEqual([]);
  });

  test('an end in the middle of an operation is no difference', async () => {
    const lines = (await recordedDay('ecr-edc')).split('\n');
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      const cut = lines.slice(0, Math.trunc(lines.length * share)).join('\n');
      // The last line was not written to its end.
      expect(await differencesIn(`${cut}\n{"t":99,"kind":"fra`)).toEqual([]);
    }
  });

  test('several recordings stand in one file', async () => {
    const both = (await recordedDay('zvt')) + (await recordedDay('transbank'));
    expect(await differencesIn(both)).toEqual([]);
    const spoilt = changed(both, /"what":"persistResult".*"CLP"/, () => '');
    expect(await differencesIn(spoilt)).toHaveLength(1);
  });
});

describe('no capture', () => {
  test.each([
    ['', 'This is no capture: there is nothing in it.'],
    ['{"t":0,"kind":"opened"}', 'This is no capture: it does not begin with the header of one.'],
    ['{"kind":"capture","format":9}', 'Line 1 of the capture cannot be read: format'],
    ['zvt', 'Line 1 of the capture is not JSON'],
  ])('%j', async (text, message) => {
    await expect(differencesIn(text)).rejects.toThrow(message);
  });

  test('an entry that nobody knows', async () => {
    const capture = changed(await recordedDay('zvt'), /"kind":"opened"/, (line) =>
      line.replace('opened', 'open'),
    );
    await expect(differencesIn(capture)).rejects.toThrow('Line 2 of the capture cannot be read: kind');
  });
});
