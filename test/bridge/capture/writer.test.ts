/** The files of a recording: what is kept of a long one, and that no payment notices what happens to it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { CaptureEntry } from '../../../src/bridge/capture/capture-file.ts';
import { openCapture } from '../../../src/bridge/capture/capture-writer.ts';
import { replayFile, startCapture } from '../../../src/bridge/capture/index.ts';
import type { CaptureForm } from '../../../src/bridge/terminals/framing/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createSimulatorLine } from '../../../src/simulator/index.ts';
import { createTransbankSimulator } from '../../../src/simulator/transbank/transbank-simulator.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { watchDriver } from '../terminals/driver-watch.ts';
import { lineProtocol, settingsWith, startRecording, usualDay } from './recording.ts';

const folder = tempFolder('capture-writer');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function recordedDay(): Promise<string[]> {
  const clock = createVirtualClock();
  const recording = await startRecording('transbank', clock);
  await clock.run(usualDay(recording), 'a day');
  return (await clock.run(recording.end(), 'the end')).trimEnd().split('\n');
}

/** A recorded day, written into files of at most this share of it. */
async function written(name: string, share: number) {
  const [header = '', ...entries] = await recordedDay();
  const maxBytes = Math.trunc((header.length + entries.join('\n').length) * share);
  const file = join(folder, `${name}.jsonl`);
  const writer = openCapture(file, JSON.parse(header) as object, silentLog, maxBytes);
  for (const entry of entries) writer.write(JSON.parse(entry) as CaptureEntry);
  writer.close();
  return { file, older: join(folder, `${name}.1.jsonl`), entries, maxBytes };
}

async function replayed(file: string) {
  const result = await replayFile(file);
  if (!result.ok) throw new Error(result.error);
  return result.replays;
}

describe('a recording that is longer than its file', () => {
  test('goes on in the next one, and both are played as one', async () => {
    const { file, entries } = await written('two', 0.7);
    expect(await replayed(file)).toEqual([expect.objectContaining({ leftOut: 0, differences: [] })]);
    const [one] = await replayed(file);
    expect(one?.calls).toBe(entries.filter((entry) => entry.includes('"kind":"call"')).length);
  });

  test('keeps what came last, in two files that are no longer than they may be', async () => {
    const { file, older, entries, maxBytes } = await written('many', 0.2);
    const kept = [older, file].flatMap((one) => readFileSync(one, 'utf8').trimEnd().split('\n').slice(1));
    expect(kept).toEqual(entries.slice(-kept.length));
    for (const one of [older, file]) expect(readFileSync(one).length).toBeLessThanOrEqual(maxBytes);
    // Nobody knows what the driver knew by then.
    expect(await replayed(file)).toEqual([
      expect.objectContaining({ leftOut: kept.length, differences: [], calls: 0 }),
    ]);
  });

  test('goes on in a new file where the last one was left full', async () => {
    const { file, older } = await written('full', 0.7);
    const full = readFileSync(file, 'utf8');
    const writer = openCapture(file, { kind: 'capture' }, silentLog, full.length);
    writer.close();
    expect([readFileSync(older, 'utf8'), readFileSync(file, 'utf8')]).toEqual([full, '{"kind":"capture"}\n']);
  });
});

describe('a recording that fails', () => {
  const broken = () => {
    throw new Error('broken');
  };
  const parser = { push: broken, insideFrame: false, reset: broken };

  async function dayWith(form: Partial<CaptureForm>, file: string) {
    const clock = createVirtualClock();
    const lines: string[] = [];
    const settings = settingsWith({ currency: 'CLP' });
    const protocol = await lineProtocol('transbank', settings, clock);
    const started = startCapture(
      { ...protocol, captureForm: { ...protocol.captureForm, ...form } },
      {
        file,
        program: '0.0.0',
        connection: { kind: 'serial' },
        settings,
        clock,
        log: createNotingLog((level, message, { reason }) =>
          lines.push(`${level} ${message}: ${String(reason)}`),
        ),
      },
    );
    if (started === null || !('attach' in started.protocol)) throw new Error('nothing is recorded');
    const ledgerFile = join(folder, `${lines.length}-ledger.jsonl`);
    const simulator = createTransbankSimulator({ ledgerFile, timeScale: 0, clock, log: silentLog });
    const connection = await createSimulatorLine(simulator).open(new AbortController().signal);
    const { owner, watch, disk } = watchDriver();
    const driver = started.protocol.attach(connection, owner);
    await clock.run(usualDay({ driver, watch, currency: 'CLP', end: () => Promise.resolve('') }), 'a day');
    await clock.run(connection.close(), 'the end');
    await clock.run(simulator.close(), 'the end of the terminal');
    started.close();
    rmSync(ledgerFile, { force: true });
    return { results: disk.results.map(({ approved }) => approved), lines };
  }

  test.each<[string, Partial<CaptureForm>]>([
    ['at a mask', { mask: broken }],
    ['at the bytes', { createParser: () => parser }],
  ])('%s hinders no payment, and ends with a word in the log', async (what, form) => {
    const { results, lines } = await dayWith(form, join(folder, `${what}.jsonl`));
    // A sale, one that is refused, the void, the close.
    expect(results).toEqual([true, false, true, true]);
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([
      'error the recording of the terminal’s line has ended: broken',
    ]);
  });

  test('because its folder is gone hinders no payment either', async () => {
    const file = join(folder, 'nowhere', 'capture.jsonl');
    const { results, lines } = await dayWith({}, file);
    expect([results.length, existsSync(file)]).toEqual([4, false]);
    expect(lines.join()).toContain('ENOENT');
  });
});
