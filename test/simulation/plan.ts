/**
 * What is going to happen in one run, as data made of its seed alone. Each entry has a number; a run can be played with
 * some of them only, which is how a failing one is made shorter.
 */
import { createRandom, type Random } from '../support/random.ts';
import type { Disturbance, Direction } from './cable.ts';
import type { DiskTrouble } from './disk.ts';

/** When something happens within an entry: after so many moments (writes and pieces on the cable), or so much time. */
type When = { moments: number } | { ms: number };

export type Accident =
  | { kind: 'cable'; direction: Direction; disturbance: Disturbance; pieces: number }
  | { kind: 'cut'; durationMs: number }
  | { kind: 'kill'; downMs: number; power: boolean }
  | { kind: 'freeze'; durationMs: number }
  | { kind: 'sleep'; durationMs: number }
  | { kind: 'wall_clock'; byMs: number }
  | { kind: 'disk'; trouble: DiskTrouble; durationMs: number }
  | { kind: 'terminal_power'; durationMs: number }
  | { kind: 'terminal_reboot' }
  | { kind: 'second_bridge'; durationMs: number }
  /** The cashier. */
  | { kind: 'cancel' }
  | { kind: 'query' }
  | { kind: 'go_away' }
  | { kind: 'other_sale' }
  | { kind: 'repeat_request' }
  /** A person who decides what is in doubt without looking long. */
  | { kind: 'early_decision'; right: boolean; unreachable: boolean }
  | { kind: 'hand_payment'; sameAmount: boolean };

export type Entry = { id: number; accidents: { id: string; when: When; accident: Accident }[] } & Doing;

type Doing =
  | {
      kind: 'sale';
      amountMinor: number;
      waitS: number | null;
      patienceMs: number;
      thenVoid: boolean;
      thenRepeat: boolean;
    }
  | { kind: 'reuse'; back: number }
  | { kind: 'void'; back: number }
  | { kind: 'batch' }
  | {
      kind: 'hand';
      what: 'payment' | 'reversal' | 'refund' | 'batch_close';
      amountMinor: number;
      back: number;
    }
  | { kind: 'restart' }
  | { kind: 'backup' }
  /** A backup of the files as they are in this moment, while the bridge works. */
  | { kind: 'copy' }
  /** Events can no more be read as they were written: so many of them, and so many newer ones are left. */
  | { kind: 'damage'; events: number; newer: number }
  | { kind: 'restore' }
  | { kind: 'replace_terminal' }
  | { kind: 'pause'; durationMs: number };

/** What a plan depends on. */
export interface PlannedProtocol {
  readonly name: string;
  /** How its terminals differ; the first is the plain one. */
  readonly dialectNames: readonly [string, ...string[]];
  /** The dialects that a terminal can have beside this one, which is not the plain one; absent: one has one. */
  goTogether?(dialect: string): readonly string[];
  /** How many of the shops have the terminal on a serial line; the others reach it over the network. */
  readonly serialShare: number;
}

/** Who sells: a POS that speaks HTTP by itself, or one with the client of `tillbridge/pos`. */
export const tills = ['own', 'client'] as const;
export type TillKind = (typeof tills)[number];

export interface Plan {
  seed: number;
  till: TillKind;
  protocol: string;
  framing: 'serial' | 'tcp';
  receipts: 'terminal' | 'pos';
  dialect: string;
  /** How the terminal differs beside that, in few shops. */
  secondDialect: string | null;
  maxTipPercent: number;
  /** 1: a payment takes about a second. */
  pace: number;
  /** How often the bridge looks at the idle terminal. */
  heartbeatMs: number;
  manager: {
    /** How long a person takes to look at a doubt or a discrepancy. */
    decidesAfterMs: number;
    acknowledgesAfterMs: number;
    /** Share of decisions that are wrong. */
    wrong: number;
  };
  entries: Entry[];
}

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How many payments a run has on average, for whoever wants so many in all. */
const usualSales = 60;

export function makePlan(seed: number, protocol: PlannedProtocol, till: TillKind = 'own'): Plan {
  const random = createRandom(seed);
  const busyDay = random.chance(0.004);
  const { dialectNames } = protocol;
  const [plain] = dialectNames;
  const dialect = random.chance(0.35) ? plain : random.pick(dialectNames);
  /** Some shops are quiet, so that what goes wrong has nothing else beside it. */
  const trouble = busyDay
    ? 0
    : random.weighted([
        [2, 0.1],
        [4, 0.4],
        [3, 0.8],
      ]);
  const plan: Plan = {
    seed,
    till,
    protocol: protocol.name,
    framing: random.chance(protocol.serialShare) ? 'serial' : 'tcp',
    receipts: random.chance(0.75) ? 'terminal' : 'pos',
    dialect: busyDay ? plain : dialect,
    secondDialect:
      busyDay || dialect === plain
        ? null
        : secondDialectOf(dialect, protocol, createRandom(seed, secondStream)),
    maxTipPercent: random.chance(0.3) ? 15 : 0,
    pace: random.pick([0, 0.5, 1]),
    heartbeatMs: random.weighted([
      [2, 30 * seconds],
      [3, 3 * minutes],
      [3, 15 * minutes],
    ]),
    manager: {
      decidesAfterMs: random.pick([seconds, 5 * seconds, 15 * seconds]),
      acknowledgesAfterMs: random.pick([5 * seconds, 30 * seconds, 3 * minutes]),
      wrong: random.chance(0.2) ? 0.3 : 0,
    },
    entries: [],
  };
  const sales = busyDay ? random.integer(258, 300) : random.integer(10, 2 * usualSales - 10);
  let amount = 1_000;
  let made = 0;
  while (made < sales) {
    const id = plan.entries.length + 1;
    const kind = busyDay ? 'sale' : random.weighted(doings);
    const doing = doingOf(kind, random, () => (amount = nextAmount(random, amount, busyDay)));
    if (doing.kind === 'sale') made += 1;
    const accidents: Entry['accidents'] = [];
    while (random.chance(trouble * (accidents.length === 0 ? 1 : 0.4)) && accidents.length < 4) {
      accidents.push({
        id: `${id}.${accidents.length + 1}`,
        when: random.chance(0.7)
          ? { moments: random.integer(1, 70) }
          : { ms: random.integer(0, 6 * seconds) },
        accident: accidentOf(random),
      });
    }
    plan.entries.push({ id, accidents, ...doing });
  }
  if (busyDay) plan.entries.push({ id: plan.entries.length + 1, accidents: [], kind: 'batch' });
  else addRareDoings(plan, createRandom(seed, rareStream));
  return plan;
}

const secondStream = 0x7365_636f;
/** Of the shops whose terminal is not the plain one. */
const secondShare = 0.1;

function secondDialectOf(first: string, { goTogether }: PlannedProtocol, random: Random): string | null {
  if (goTogether === undefined || !random.chance(secondShare)) return null;
  const [one, ...others] = goTogether(first);
  return one === undefined ? null : random.pick([one, ...others]);
}

/** A stream of chance of its own: the other shops stay as they have always been for their seeds. */
const rareStream = 0x7261_7265;
/** Of all shops. */
const rareShare = 0.1;
/** Above the number of any other entry. */
const firstRareId = 1_001;

/** What few shops have, at any place of their days. */
function addRareDoings({ entries }: Plan, random: Random): void {
  if (!random.chance(rareShare)) return;
  const doings: Doing[] = random.weighted<() => Doing[]>([
    [3, () => [{ kind: 'damage', events: random.integer(1, 3), newer: random.integer(0, 30) }]],
    [2, () => [{ kind: 'copy' }, { kind: 'restore' }]],
  ])();
  let from = random.integer(1, entries.length);
  for (const [index, doing] of doings.entries()) {
    entries.splice(from, 0, { id: firstRareId + index, accidents: [], ...doing });
    from = random.integer(from + 1, entries.length);
  }
}

const doings = [
  [70, 'sale'],
  [3, 'reuse'],
  [4, 'void'],
  [5, 'batch'],
  [6, 'hand'],
  [3, 'restart'],
  [1.5, 'backup'],
  [0.7, 'restore'],
  [0.4, 'replace_terminal'],
  [4, 'pause'],
] as const satisfies readonly (readonly [number, Doing['kind']])[];

function doingOf(kind: (typeof doings)[number][1], random: Random, nextMinor: () => number): Doing {
  switch (kind) {
    case 'sale':
      return {
        kind,
        amountMinor: nextMinor(),
        waitS: random.pick([null, 5, 60]),
        patienceMs: random.pick([3 * seconds, 30 * seconds, 90 * seconds]),
        thenVoid: random.chance(0.12),
        thenRepeat: random.chance(0.1),
      };
    case 'reuse':
    case 'void':
      return { kind, back: random.integer(0, 8) };
    case 'hand':
      return {
        kind,
        what: random.weighted([
          [5, 'payment'],
          [3, 'reversal'],
          [1, 'refund'],
          [2, 'batch_close'],
        ]),
        amountMinor: nextMinor(),
        back: random.integer(0, 5),
      };
    case 'pause':
      return { kind, durationMs: random.pick([10 * seconds, 35 * seconds, 3 * minutes]) };
    case 'batch':
    case 'restart':
    case 'backup':
    case 'restore':
    case 'replace_terminal':
      return { kind };
  }
}

/** Mostly another amount each time; the last two digits are the scene of the simulated terminal. */
function nextAmount(random: Random, last: number, plain: boolean): number {
  if (random.chance(0.12) && !plain) return last;
  const digits = plain
    ? random.integer(10, 99)
    : random.weighted([
        [55, random.integer(10, 99)],
        [6, 1],
        [5, 2],
        [3, 3],
        [3, 4],
        [3, 5],
        [3, 6],
        [2, 7],
        [3, 8],
        [2, 9],
      ]);
  // A busy day's customers all have the same kind of card, which the simulated terminal chooses by the amount.
  return (plain ? 6 * random.integer(1, 60) : random.integer(1, 400)) * 100 + digits;
}

function accidentOf(random: Random): Accident {
  const durationMs = random.pick([200, 200, 2 * seconds, 2 * seconds, 20 * seconds, minutes]);
  const direction = random.pick(['to_terminal', 'to_bridge'] as const);
  const kind = random.weighted([
    [26, 'cable'],
    [8, 'cut'],
    [14, 'kill'],
    [5, 'freeze'],
    [3, 'sleep'],
    [2, 'wall_clock'],
    [6, 'disk'],
    [8, 'terminal_power'],
    [3, 'terminal_reboot'],
    [1, 'second_bridge'],
    [9, 'cancel'],
    [4, 'query'],
    [5, 'go_away'],
    [4, 'other_sale'],
    [4, 'repeat_request'],
    [5, 'early_decision'],
    [3, 'hand_payment'],
  ] as const satisfies readonly (readonly [number, Accident['kind']])[]);
  switch (kind) {
    case 'cable':
      return { kind, direction, disturbance: disturbanceOf(random), pieces: random.pick([1, 1, 2, 4]) };
    case 'cut':
    case 'terminal_power':
      return { kind, durationMs };
    case 'second_bridge':
      return { kind, durationMs: 20 * seconds };
    case 'kill':
      return {
        kind,
        downMs: random.pick([50, seconds, 15 * seconds]),
        power: random.chance(0.3),
      };
    case 'freeze':
      return { kind, durationMs: random.pick([seconds, 15 * seconds, 2 * minutes]) };
    case 'sleep':
      return { kind, durationMs: random.pick([30 * seconds, 8 * hours]) };
    case 'wall_clock':
      return { kind, byMs: random.pick([-2 * hours, -5 * seconds, 5 * seconds, 3 * hours]) };
    case 'disk':
      return {
        kind,
        trouble: random.weighted([
          [4, 'full'],
          [4, 'failing'],
          [1, 'failing_after_commit'],
        ]),
        durationMs,
      };
    case 'early_decision':
      return { kind, right: random.chance(0.6), unreachable: random.chance(0.3) };
    case 'hand_payment':
      return { kind, sameAmount: random.chance(0.5) };
    case 'terminal_reboot':
    case 'cancel':
    case 'query':
    case 'go_away':
    case 'other_sale':
    case 'repeat_request':
      return { kind };
  }
}

function disturbanceOf(random: Random): Disturbance {
  return random.weighted<Disturbance>([
    [4, { kind: 'lose' }],
    [3, { kind: 'damage' }],
    [2, { kind: 'repeat' }],
    [2, { kind: 'split', gapMs: random.pick([5, 150, 400]) }],
    [3, { kind: 'delay', delayMs: random.pick([100, 500, 2 * seconds, 3 * seconds]) }],
    [3, { kind: 'cut', share: random.fraction(), durationMs: random.pick([200, 5 * seconds, 20 * seconds]) }],
  ]);
}

/** The plan with these entries and accidents only; an accident goes with its entry. */
export function keepOnly(plan: Plan, keep: ReadonlySet<string>): Plan {
  return {
    ...plan,
    entries: plan.entries
      .filter(({ id }) => keep.has(String(id)))
      .map((entry) => ({ ...entry, accidents: entry.accidents.filter(({ id }) => keep.has(id)) })),
  };
}

export function numbersOf(plan: Plan): string[] {
  return plan.entries.flatMap((entry) => [String(entry.id), ...entry.accidents.map(({ id }) => id)]);
}
