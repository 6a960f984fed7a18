/** The examples of docs/pos-guide.md pass the examination: their `pay`, as a program that is run for each scene. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { examine, sceneNames } from '../../src/examine/index.ts';
import { languagesHere, payOnceBy, payOnceInNode, run, unlessMonoCrashes } from '../docs/guide-kit.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-examined-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found, and how each scene ended. `programAt` gives what to run for a payment. */
async function examined(programAt: (address: string) => [command: string, file: string]) {
  let program: [string, string] = ['', ''];
  const faults: unknown[] = [];
  const examination = await examine({
    folder: mkdtempSync(path.join(folder, 'journal-')),
    port: 0,
    host: null,
    allowedHosts: [],
    allowedOrigins: [],
    currency: 'EUR',
    version: '9.9.9',
    clock: systemClock,
    chance: systemChance(systemClock),
    scenes: sceneNames,
    // The programs' own pauses of a second stay as they are.
    pace: 0.02,
    limitMs: 60_000,
    patienceMs: 20_000,
    quietMs: 100,
    onOpen: (_addresses, port) => (program = programAt(`http://localhost:${port}`)),
    onScene: () =>
      run(...program).then(
        () => {},
        (error: unknown) => void faults.push(error),
      ),
    onPlayed: () => {},
    signal: new AbortController().signal,
  });
  if (examination.kind === 'failed') throw new Error(examination.message);
  // One of them may be Mono's, which is tried again.
  if (faults.length > 0) throw faults[0];
  return examination.results.map(({ scene, end, findings }) => [scene.name, end, ...findings]);
}

/** Dozens of programs are started, one after the other, beside those of the other languages. */
const limited = { timeout: 400_000 };

const allPassed = sceneNames.map((name) => [name, 'quiet']);

describe.concurrent('the example of the guide', () => {
  for (const { name, language } of languagesHere()) {
    it(`in ${name} passes`, { ...limited, ...unlessMonoCrashes }, async () => {
      expect(await examined((address) => payOnceBy(language, address, folder))).toEqual(allPassed);
    });
  }

  it('for a web page passes', limited, async () => {
    expect(await examined((address) => payOnceInNode(address, folder))).toEqual(allPassed);
  });
});
