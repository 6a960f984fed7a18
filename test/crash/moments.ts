/** When something is killed: after a time, or at one of the moments that matter, a hair before or after it. */
import { watch } from 'node:fs';
import type { Passing } from './cable.ts';
import type { Random } from '../support/random.ts';
import type { Shop, Side } from './shop.ts';
import type { Moments, Said } from './wires/index.ts';

export type Moment =
  /** So long after it was armed. */
  | { kind: 'time'; afterMs: number }
  /** At the nth piece of bytes that passes on the cable; then that piece gets through or is lost. */
  | { kind: 'wire'; nth: number; lose: boolean; thenMs: number }
  /** At the first of these on the cable. */
  | { kind: 'said'; what: Said; lose: boolean; thenMs: number }
  /** At the nth change of the journal's write-ahead file. */
  | { kind: 'journal'; nth: number; thenMs: number }
  /** When the simulator writes into its ledger. */
  | { kind: 'ledger'; thenMs: number };

export interface Kill {
  target: Side | 'both';
  moment: Moment;
  /** How long it stays dead. */
  downMs: number;
}

/** What never comes is not waited for longer than this; then the kill comes all the same. */
const patienceMs = { action: 900, start: 2_000 };

/**
 * `said`: what can be waited for on this wire. `start`: the moment lies in the start of a process, whose first half second
 * is Node's own.
 */
export function chooseMoment(random: Random, phase: 'action' | 'start', said: Moments): Moment {
  const lose = random.chance(0.5);
  // Most often at once: a few milliseconds are already the next message.
  const thenMs = random.chance(0.6) ? 0 : random.integer(1, 8);
  return random.weighted<Moment>([
    [25, { kind: 'time', afterMs: chooseTimeMs(random, phase) }],
    [30, { kind: 'wire', nth: random.integer(1, 24), lose, thenMs }],
    [
      25,
      {
        kind: 'said',
        what: random.pick(said),
        lose,
        thenMs,
      },
    ],
    [12, { kind: 'journal', nth: random.integer(1, 60), thenMs }],
    [8, { kind: 'ledger', thenMs }],
  ]);
}

function chooseTimeMs(random: Random, phase: 'action' | 'start'): number {
  if (phase === 'start') return random.integer(250, 1_300);
  return random.integer(0, random.chance(0.7) ? 350 : 1_500);
}

/** Waits for the moment, and has `kill` called in it. Resolves with words about when that was. */
export function strike(
  moment: Moment,
  phase: 'action' | 'start',
  shop: Shop,
  kill: () => void,
): Promise<string> {
  if (moment.kind === 'time') return later(moment.afterMs, kill, `after ${moment.afterMs} ms`);
  const { thenMs } = moment;
  return new Promise((resolve) => {
    let over = false;
    const finish = (words: string) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      stop();
      if (thenMs === 0) {
        kill();
        resolve(words);
      } else void later(thenMs, kill, `${thenMs} ms after ${words}`).then(resolve);
    };
    const stop = arm(moment, shop, finish);
    const limitMs = patienceMs[phase];
    const timer = setTimeout(() => finish(`${limitMs} ms (${describe(moment)} did not come)`), limitMs);
  });
}

/** Calls `strikes` when the moment comes; gives what takes the watch away again. */
function arm(
  moment: Exclude<Moment, { kind: 'time' }>,
  shop: Shop,
  strikes: (words: string) => void,
): () => void {
  const { cable } = shop;
  switch (moment.kind) {
    case 'journal':
      return onChange(shop.dataDir, 'journal.sqlite-wal', moment.nth, () => strikes(describe(moment)));
    case 'ledger':
      return onChange(shop.ledgerFolder, 'ledger.jsonl', 1, () => strikes(describe(moment)));
    case 'wire':
    case 'said': {
      const isIt = moment.kind === 'wire' ? counter(moment.nth) : listener(moment.what);
      cable.onPassing = (passing) => {
        if (!isIt(passing)) return 'pass';
        const lost = moment.lose && moment.thenMs === 0;
        const said = passing.heard.map(({ name }) => name).join(' ') || 'a piece';
        strikes(`${describe(moment)}, ${said} to the ${passing.towards}${lost ? ' (lost)' : ''}`);
        return lost ? 'lose' : 'pass';
      };
      return () => (cable.onPassing = () => 'pass');
    }
  }
}

function counter(nth: number): (passing: Passing) => boolean {
  let passed = 0;
  return () => (passed += 1) === nth;
}

function listener(what: Said): (passing: Passing) => boolean {
  return ({ heard }) => heard.some(({ said }) => said === what);
}

function onChange(folder: string, file: string, nth: number, strikes: () => void): () => void {
  let changes = 0;
  const watcher = watch(folder, (_event, name) => {
    if (name === file && (changes += 1) === nth) strikes();
  });
  // What is watched may be gone already; then the patience ends it.
  watcher.on('error', () => {});
  return () => watcher.close();
}

function describe(moment: Exclude<Moment, { kind: 'time' }>): string {
  switch (moment.kind) {
    case 'wire':
      return `piece ${moment.nth} on the cable`;
    case 'said':
      return `the ${moment.what}`;
    case 'journal':
      return `change ${moment.nth} of the journal`;
    case 'ledger':
      return 'a line in the ledger';
  }
}

function later(ms: number, kill: () => void, words: string): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => {
      kill();
      resolve(words);
    }, ms);
  });
}
