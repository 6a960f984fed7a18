/** What one round will do, from the seed alone; what it then meets depends on timing as well. */
import { chooseMoment, type Kill } from './moments.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { Moments } from './wires/index.ts';

type Action =
  | { kind: 'sale'; scene: string; waitS: number | undefined; postedTwice: boolean }
  /** A sale that is cancelled so long after it was posted. */
  | { kind: 'cancelled_sale'; afterMs: number }
  /** Of the last approved payment, or of one of them, chosen by this fraction; a sale where there is none. */
  | { kind: 'void'; which: number | 'last' }
  | { kind: 'batch' }
  /** Nothing is asked: the processes die while they watch each other. */
  | { kind: 'nothing' };

export interface Plan {
  action: Action;
  /** The first is counted from the moment of the action, each other one from the restart after the one before. */
  kills: [Kill, ...Kill[]];
  /** The POS repeats what it asked for when the bridge is back; else it only asks how it ended. */
  repeats: boolean;
  /** It repeats at once, while the bridge may still be finding out. */
  repeatsAtOnce: boolean;
}

const mostKillsInARow = 4;

/** `said`: what can be waited for on the wire. */
export function planRound(seed: number, round: number, said: Moments): Plan {
  const random = createRandom(seed, round);
  const action = chooseAction(random);
  const killIn = (phase: 'action' | 'start', simulatorShare: number) =>
    chooseKill(random, { phase, said, simulatorShare });
  const kills: [Kill, ...Kill[]] = [killIn('action', action.kind === 'nothing' ? 0.3 : 0.15)];
  while (kills.length < mostKillsInARow && random.chance(0.35)) kills.push(killIn('start', 0.1));
  return { action, kills, repeats: random.chance(0.7), repeatsAtOnce: random.chance(0.5) };
}

function chooseAction(random: Random): Action {
  const afterMs = random.integer(0, 300);
  const fraction = random.fraction();
  // Some terminals take back their last payment only.
  const which = fraction < 0.5 ? 'last' : 2 * fraction - 1;
  const scene = random.weighted([
    [70, '00'],
    [4, '01'],
    [4, '02'],
    [5, '03'],
    [6, '05'],
    [6, '06'],
    [5, '08'],
  ]);
  const waitS = random.chance(0.4) ? 20 : undefined;
  const postedTwice = random.chance(0.2);
  return random.weighted<Action>([
    [56, { kind: 'sale', scene, waitS, postedTwice }],
    [10, { kind: 'cancelled_sale', afterMs }],
    [18, { kind: 'void', which }],
    [11, { kind: 'batch' }],
    [5, { kind: 'nothing' }],
  ]);
}

function chooseKill(
  random: Random,
  { phase, said, simulatorShare }: { phase: 'action' | 'start'; said: Moments; simulatorShare: number },
): Kill {
  const target = random.weighted<Kill['target']>([
    [1 - 1.5 * simulatorShare, 'bridge'],
    [simulatorShare, 'simulator'],
    [simulatorShare / 2, 'both'],
  ]);
  const downMs = random.weighted([
    [45, 0],
    [45, random.integer(1, 600)],
    // Long enough for the terminal to give up waiting for an answer.
    [10, random.integer(5_000, 7_000)],
  ]);
  return { target, moment: chooseMoment(random, phase, said), downMs };
}
