/** Plays the scenes one after the other: asks for a payment, lets happen what the scene says, and judges what came of it. */
import { pause, type Clock } from '../base/clock.ts';
import type { Currency } from '../contract/money.ts';
import type { Call } from './call-log.ts';
import { judge, type Finding, type SceneEnd } from './judge.ts';
import { attemptsOf, isCreate, knowledgeAt, referenceOf, type Attempt } from './knowledge.ts';
import { plainSale, scenes, type Scene, type SceneName } from './scenes.ts';
import { openStandIn, type StandIn, type StandInOptions } from './stand-in.ts';

export interface ExaminationOptions extends Omit<StandInOptions, 'usual' | 'stretch'> {
  scenes: readonly SceneName[];
  /** Factor of all times of the scenes. */
  pace: number;
  /** Longest time of a scene: until somebody pays, and from then on. In milliseconds. */
  limitMs: number;
  /** So long after its last request a POS that does not know the outcome is taken to ask no more. */
  patienceMs: number;
  /** So long after it knows the outcome a scene is over. */
  quietMs: number;
  /** The bridge can be called now. */
  onOpen(addresses: readonly string[], port: number): void;
  /**
   * A payment is wanted now; `number` counts from 1. A promise that is given back is for whoever pays: the scene does not end
   * before it, but for its limit.
   */
  onScene(scene: Scene, number: number, count: number): Promise<void> | void;
  onPlayed(result: SceneResult): void;
  /** Ends it; what has been played until then is the result. */
  signal: AbortSignal;
}

export interface SceneResult {
  scene: Scene;
  end: SceneEnd;
  findings: Finding[];
  /** Its times count from the beginning of the scene. */
  calls: Call[];
  /** As they ended: reference, and what was charged. */
  attempts: Attempt[];
}

export type Examination =
  | { kind: 'played'; currency: Currency; results: SceneResult[]; interrupted: boolean }
  | { kind: 'failed'; message: string };

/** How often a scene is looked at. */
const lookMs = 100;
/** More requests than this end a scene. */
const maxCalls = 2_000;
/** The other payment of the scene "busy" lasts until it is ended. */
const untilEndedMs = 24 * 3_600_000;

export async function examine(options: ExaminationOptions): Promise<Examination> {
  const { clock, pace, currency, signal } = options;
  const stretch = (ms: number) => ms * pace;
  let stage: Stage | null = null;
  const opening = await openStandIn(
    { ...options, usual: plainSale, stretch },
    (call) => stage?.loses(call) ?? false,
  );
  if (opening.kind === 'failed') return opening;
  const { standIn } = opening;
  const results: SceneResult[] = [];
  const earlier = new Set<string>();
  try {
    options.onOpen(standIn.addresses, standIn.port);
    for (const [index, name] of options.scenes.entries()) {
      if (signal.aborted) break;
      await freed(standIn, clock);
      stage = createStage(scenes[name], standIn, clock, stretch);
      const result = await play(stage, { ...options, standIn, earlier, number: index + 1 });
      await stage.close();
      if (stage.failure !== null) return { kind: 'failed', message: stage.failure };
      for (const { reference } of result.attempts) earlier.add(reference);
      // What was cut short is no examination.
      if (signal.aborted) break;
      results.push(result);
      options.onPlayed(result);
    }
    return { kind: 'played', currency, results, interrupted: signal.aborted };
  } finally {
    await stage?.close();
    await standIn.close();
  }
}

/** What is left of an earlier scene is brought to its end. */
async function freed(standIn: StandIn, clock: Clock): Promise<void> {
  while (!standIn.isFree()) {
    standIn.terminal.hurry();
    standIn.decide();
    await pause(clock, lookMs);
  }
}

/** One scene as it is played: what happens by itself, and when. */
interface Stage {
  readonly scene: Scene;
  /** To be called before a payment is asked for. */
  prepare(): Promise<void>;
  /** To be called now and then, with what has come so far. */
  look(calls: readonly Call[]): void;
  loses(call: Call): boolean;
  /** The bridge is away. */
  readonly away: boolean;
  /** Why it cannot come back; null: it can. */
  readonly failure: string | null;
  close(): Promise<void>;
}

function createStage(scene: Scene, standIn: StandIn, clock: Clock, stretch: (ms: number) => number): Stage {
  const { sale, lostAnswers = 0, cutAfterMs, busyMs, restart, personAfterMs } = scene;
  let lost = 0;
  let begun = false;
  let refused = false;
  let absence: Promise<void> | null = null;
  let away = false;
  let failure: string | null = null;
  const cancels: (() => void)[] = [];
  const after = (ms: number, call: () => void) => void cancels.push(clock.after(stretch(ms), call));

  const onBegun = () => {
    if (cutAfterMs !== undefined)
      after(cutAfterMs, () => {
        for (const call of standIn.calls.open()) {
          if (lost >= lostAnswers || !isCreate(call.read())) continue;
          lost += 1;
          call.cut();
        }
      });
    if (restart !== undefined)
      after(restart.afterMs, () => {
        away = true;
        absence = standIn.goAway(stretch(restart.downMs)).then((message) => {
          failure = message;
          away = false;
        });
        // Its connections are cut by now: nobody hears how the bridge lost sight of the payment.
        standIn.terminal.hurry();
      });
    if (personAfterMs !== undefined) after(sale.afterMs + personAfterMs, decide);
  };
  /** A person may decide only once the terminal has been seen idle, which it soon is. */
  const decide = () => {
    standIn.decide();
    if (!standIn.isFree()) after(lookMs, decide);
  };

  return {
    scene,
    async prepare() {
      standIn.calls.clear();
      if (busyMs !== undefined) await standIn.occupy(untilEndedMs);
      standIn.terminal.plan(sale);
    },
    look(calls) {
      const paying = calls.filter(isCreate).flatMap((call) => referenceOf(call) ?? []);
      const isBegun = standIn.payments().some(({ reference }) => paying.includes(reference));
      if (isBegun && !begun) {
        begun = true;
        onBegun();
      }
      const isRefused = calls.some((call) => isCreate(call) && call.answer?.body['code'] === 'terminal_busy');
      if (busyMs !== undefined && isRefused && !refused) {
        refused = true;
        after(busyMs, () => standIn.terminal.hurry());
      }
    },
    loses(call) {
      const isAnswer = isCreate(call) || call.path === '/QueryPayment';
      if (!isAnswer || referenceOf(call) === null || lost >= lostAnswers) return false;
      lost += 1;
      return true;
    },
    get away() {
      return away;
    },
    get failure() {
      return failure;
    },
    async close() {
      for (const cancel of cancels) cancel();
      await absence;
    },
  };
}

type Playing = ExaminationOptions & { standIn: StandIn; earlier: ReadonlySet<string>; number: number };

async function play(stage: Stage, playing: Playing): Promise<SceneResult> {
  const { clock, standIn, earlier, currency, signal, limitMs } = playing;
  const { scene } = stage;
  await stage.prepare();
  const beganMs = clock.elapsed();
  let payer: Moment['payer'] = 'person';
  const paying = playing.onScene(scene, playing.number, playing.scenes.length);
  if (paying !== undefined) {
    payer = 'at_it';
    void paying.finally(() => (payer = 'done'));
  }
  for (;;) {
    await pause(clock, lookMs, signal);
    const calls = standIn.calls.calls();
    stage.look(calls);
    const attempts = attemptsOf(calls, standIn.payments(), earlier);
    const nowMs = clock.elapsed();
    const end = endOf({ calls, attempts, nowMs, beganMs, limitMs, playing, stage, payer });
    if (end === null && !signal.aborted && stage.failure === null) continue;
    const played = { calls, attempts, earlier, end: end ?? 'limit', endedMs: nowMs, currency };
    return { scene, end: played.end, findings: judge(played), calls: since(calls, beganMs), attempts };
  }
}

interface Moment {
  calls: readonly Call[];
  attempts: readonly Attempt[];
  nowMs: number;
  beganMs: number;
  limitMs: number;
  playing: Playing;
  stage: Stage;
  /** Who was asked to pay: somebody of whom nothing is known, or something that is still at it, or has ended. */
  payer: 'person' | 'at_it' | 'done';
}

/** Null: the scene goes on. */
function endOf(moment: Moment): SceneEnd | null {
  const { calls, attempts, nowMs, beganMs, limitMs, playing, stage, payer } = moment;
  const { quietMs, patienceMs, standIn } = playing;
  const commands = calls.filter(({ method }) => method === 'POST');
  const first = commands.find(isCreate);
  if (first === undefined) return payer === 'done' || nowMs - beganMs >= limitMs ? 'nobody' : null;
  if (nowMs - first.atMs >= limitMs || calls.length > maxCalls) return 'limit';
  if (payer === 'at_it' || stage.away || commands.some(({ end }) => end === 'open')) return null;

  const decidedMs = attempts.flatMap((attempt) => attempt.decidedMs ?? []);
  const isKnown = attempts.every((attempt) => knowledgeAt(calls, attempt, nowMs).kind === 'decided');
  // Some go on asking about what they know.
  const counted = isKnown ? commands.filter(({ path }) => path !== '/QueryPayment') : commands;
  const lastMs = Math.max(beganMs, ...decidedMs, ...counted.map(({ endedMs }) => endedMs ?? nowMs));
  if (isKnown && attempts.length > 0 && nowMs - lastMs >= quietMs) return 'quiet';
  return standIn.isFree() && nowMs - lastMs >= patienceMs ? 'idle' : null;
}

function since(calls: readonly Call[], beganMs: number): Call[] {
  return calls.map((call) => ({
    ...call,
    atMs: call.atMs - beganMs,
    endedMs: call.endedMs === null ? null : call.endedMs - beganMs,
  }));
}
