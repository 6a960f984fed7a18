/** Examines a POS program on a virtual clock, over real sockets. */
import { rmSync } from 'node:fs';
import { examine, type SceneName, type SceneResult } from '../../src/examine/index.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import type { PosProgram } from './pos-programs.ts';

export interface Examined {
  results: SceneResult[];
  /** What the till showed at the end of each scene. */
  shown: string[];
}

/** `program` null: nobody pays. */
export async function examined(program: PosProgram | null, scenes: readonly SceneName[]): Promise<Examined> {
  const clock = createVirtualClock({ besideIo: true });
  let port = 0;
  let references = 0;
  const newReference = () => `T-${(references += 1)}`;
  const shown: string[] = [];
  const folder = tempFolder('examination');
  const playing = examine({
    folder,
    port: 0,
    host: null,
    allowedHosts: [],
    allowedOrigins: [],
    currency: 'EUR',
    version: '9.9.9',
    clock,
    chance: seededChance(clock),
    scenes,
    pace: 1,
    limitMs: 300_000,
    patienceMs: 60_000,
    quietMs: 3_000,
    onOpen: (_addresses, opened) => (port = opened),
    onScene: () =>
      program?.({ port, clock, newReference }).then((text) => {
        shown.push(text);
      }),
    onPlayed: () => {},
    signal: new AbortController().signal,
  });
  const examination = await clock
    .run(playing, 'the end of the examination', 3_600_000)
    .finally(() => rmSync(folder, { recursive: true, force: true }));
  if (examination.kind === 'failed') throw new Error(examination.message);
  return { results: examination.results, shown };
}
