/**
 * The bridge as the rest of the main process sees it, whichever process it runs in now. One that ends by a fault is started
 * again with growing pauses; the console is told at once, and the bridge recovers what was on the terminal from its journal.
 *
 *     start ──► up ──ends──► paused ──pause is over──► up …
 *               └──stop──► stopping ──ends──► ended ◄── stop ── paused
 */
import type { Clock } from '../base/clock.ts';
import { createEmitter } from '../base/emitter.ts';
import { errorText } from '../base/error-text.ts';
import { createQuestions, type Answer, type Questions } from '../base/questions.ts';
import {
  filePieceSchema,
  madeFileSchema,
  toAppSchema,
  type AppQuestion,
  type BridgeQuestion,
  type ToApp,
  type ToBridge,
} from '../contract/bridge-channel.ts';
import type { UpdateSettings } from '../contract/configuration.ts';
import {
  consoleMethods,
  type AppFault,
  type AppSettings,
  type ConsoleChange,
  type ConsoleResult,
  type ConsoleService,
  type ConsoleState,
  type OperationOnTerminal,
  type UpdateState,
  currentOperations,
} from '../contract/console/index.ts';
import type { SecretBox } from '../host/index.ts';
import { maskCardNumbers, type Log } from '../log/index.ts';
import type { BridgeChild } from './bridge-child.ts';
import { logOf } from './log-of-bridge.ts';

export interface AppBridge {
  readonly console: ConsoleService;
  /** Of the bridge's log. While no process has it, lines wait for the next one. */
  readonly log: Log;
  /** As it was told last; of our own making while no process runs. */
  state(): ConsoleState;
  /**
   * The operations on all terminals. What was there when the process ended by a fault may still be, and counts until
   * another process has its bridge, which has read in the journal what is in doubt.
   */
  onTerminals(): OperationOnTerminal[];
  /**
   * The same, as the bridge's process knows it now: it is ahead of what it has told. What was told last when it does not
   * answer within a second. Never rejects.
   */
  lookAtTerminals(): Promise<OperationOnTerminal[]>;
  start(): void;
  /** For the console: what is known of newer versions. */
  showUpdate(update: UpdateState | null): void;
  suspend(): Promise<void>;
  resume(): void;
  /** Lets the operation on the terminal end, within bounds, and ends the process. May be called twice. Never rejects. */
  stop(): Promise<void>;
}

export interface AppBridgeOptions {
  fork(): BridgeChild;
  sources: Extract<ToBridge, { kind: 'start' }>['sources'];
  version: string;
  /** Of the whole computer; null: none is looked for. */
  provisionFile: string | null;
  secrets: SecretBox;
  clock: Clock;
  /** What ended the app before this start; null: nothing did. */
  fault: AppFault | null;
  /** At the start, and after each change that was saved. */
  onAppSettings(settings: AppSettings): void;
  /** The same of the settings `updates`. */
  onUpdateSettings(settings: UpdateSettings): void;
  /** A person has decided about a new version. */
  onUpdateAction(action: 'install' | 'later'): void;
  /** The process has ended by itself. `text` is masked. */
  onFault(text: string): void;
  /** What the process prints. */
  onOutput(text: string): void;
}

/** Between a fault and the next start; the last one is for all that follow. */
const restartPausesMs = [500, 1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
/** One that has run so long is no part of the row of faults before it. */
const soundAfterMs = 600_000;
/** The process says that it turns; unanswered so often, it hangs, and is ended. */
const pingEveryMs = 10_000;
const maxUnanswered = 6;
/** How long the process may take to end after it has said that all is closed. */
const exitLimitMs = 5_000;
/** How long somebody who wants to quit waits for what the process knows. */
const lookLimitMs = 1_000;
const maxWaitingLines = 200;
const keptOutputCharacters = 4_000;

interface Running {
  child: BridgeChild;
  questions: Questions;
  sinceMs: number;
  /** The last that it printed: what the engine says of its own end. */
  output: string;
  hangs: boolean;
  gone: Promise<void>;
}

export function createAppBridge(options: AppBridgeOptions): AppBridge {
  const { clock, version, secrets } = options;
  const changes = createEmitter<ConsoleChange>({
    onFault: (err) => log.error('a subscriber failed on a change of the bridge', { err }),
  });
  let running: Running | null = null;
  let update: UpdateState | null = null;
  let state = noBridge(version, { kind: 'starting' }, options.fault);
  /** What was on the terminals when the process ended by a fault. */
  let interrupted: OperationOnTerminal[] = [];
  let { fault } = options;
  let faultsInRow = 0;
  let cancelRestart: (() => void) | null = null;
  let suspended = false;
  let stopped: Promise<void> | null = null;
  let waitingLines: Extract<ToBridge, { kind: 'log' }>[] = [];
  const log = logOf((line) => {
    if (running !== null) running.child.send(line);
    else waitingLines = [...waitingLines, line].slice(-maxWaitingLines);
  });

  function show(next: ConsoleState): void {
    state = next;
    changes.emit({ kind: 'state', state });
  }

  function note(told: ConsoleState): void {
    state = told;
    // Until its bridge runs a new process knows nothing of the one before.
    if (told.bridge.kind === 'running') interrupted = [];
  }

  function start(): void {
    const child = options.fork();
    const gone = Promise.withResolvers<void>();
    const questions = createQuestions((id, question) =>
      child.send({ kind: 'question', id, question: question as BridgeQuestion }),
    );
    const now: Running = {
      child,
      questions,
      sinceMs: clock.elapsed(),
      output: '',
      hangs: false,
      gone: gone.promise,
    };
    running = now;
    child.onMessage((message) => take(now, message));
    child.onOutput((text) => {
      now.output = (now.output + text).slice(-keptOutputCharacters);
      options.onOutput(text);
    });
    child.onExit((exitCode) => {
      gone.resolve();
      ended(now, exitCode);
    });
    child.send({
      kind: 'start',
      sources: options.sources,
      provisionFile: options.provisionFile,
      version,
      secrets: secrets.kind,
      fault,
      suspended,
    });
    if (update !== null) child.send({ kind: 'update', update });
    const lines = waitingLines;
    waitingLines = [];
    for (const line of lines) child.send(line);
    watch(now);
  }

  /** A process that hangs holds the port and the terminal, and answers nobody. */
  function watch(watched: Running): void {
    let unanswered = 0;
    const next = () => {
      if (running !== watched) return;
      if (unanswered >= maxUnanswered) {
        watched.hangs = true;
        return watched.child.kill();
      }
      unanswered += 1;
      watched.questions.ask({ ask: 'ping' }).then(
        () => (unanswered = 0),
        () => {},
      );
      clock.after(pingEveryMs, next);
    };
    clock.after(pingEveryMs, next);
  }

  function take(from: Running, data: unknown): void {
    if (running !== from) return;
    const parsed = toAppSchema.safeParse(data);
    if (parsed.success) return handle(from, parsed.data);
    // It waits for that before it sends more.
    if (isChange(data)) from.child.send({ kind: 'taken', changes: 1 });
    const fields = { issues: parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.')) };
    log.error("a message of the bridge's process was refused: its form is wrong", fields);
  }

  function handle({ child, questions }: Running, message: ToApp): void {
    switch (message.kind) {
      case 'ready':
        return;
      case 'change':
        child.send({ kind: 'taken', changes: 1 });
        if (message.change.kind === 'state') note(message.change.state);
        return changes.emit(message.change);
      case 'app_settings':
        return options.onAppSettings(message.settings);
      case 'update_settings':
        return options.onUpdateSettings(message.settings);
      case 'question':
        return void answer(child, message.id, message.question);
      case 'answer':
        return questions.answered(message.id, message.answer);
    }
  }

  async function answer(child: BridgeChild, id: number, question: AppQuestion): Promise<void> {
    const given: Answer = await answerTo(question).then(
      (value) => ({ ok: true, value }),
      (error: unknown) => ({ ok: false, message: errorText(error) }),
    );
    child.send({ kind: 'answer', id, answer: given });
  }

  async function answerTo(question: AppQuestion): Promise<unknown> {
    if (question.ask === 'open') return secrets.open(question.sealed);
    const sealed = await secrets.seal(question.secret);
    return { sealed, kind: secrets.kind };
  }

  function ended(old: Running, exitCode: number): void {
    if (running !== old) return;
    running = null;
    old.questions.end("The bridge's process has ended.");
    if (stopped !== null) return;
    const what = old.hangs
      ? 'The process of the bridge did not answer any more and was ended.'
      : `The process of the bridge has ended (${exitCode}).`;
    const text = [what, maskCardNumbers(old.output).trim()].filter((part) => part !== '').join('\n');
    faultsInRow = clock.elapsed() - old.sinceMs >= soundAfterMs ? 1 : faultsInRow + 1;
    const pauseMs = restartPausesMs[Math.min(faultsInRow, restartPausesMs.length) - 1] ?? 0;
    fault = {
      part: 'bridge',
      at: new Date(clock.now()).toISOString(),
      text: text.slice(0, 2_000),
      runsSince: null,
    };
    log.error("the bridge's process has ended by a fault and is started again", {
      reason: what,
      pause_ms: pauseMs,
    });
    options.onFault(text);
    interrupted = onTerminals();
    // Nobody can do anything but wait: it is no bridge that could not be started.
    show(noBridge(version, { kind: 'starting' }, fault));
    cancelRestart = clock.after(pauseMs, () => {
      cancelRestart = null;
      start();
    });
  }

  function onTerminals(): OperationOnTerminal[] {
    return [...currentOperations(state), ...interrupted];
  }

  async function lookAtTerminals(): Promise<OperationOnTerminal[]> {
    const late = Promise.withResolvers<null>();
    const cancel = clock.after(lookLimitMs, () => late.resolve(null));
    const answer = await Promise.race([invoke('state', {}), late.promise]);
    cancel();
    if (answer?.ok !== true) return onTerminals();
    return [...currentOperations(answer.value as ConsoleState), ...interrupted];
  }

  function ask(question: BridgeQuestion): Promise<unknown> {
    return (
      running?.questions.ask(question) ?? Promise.reject(new Error("The bridge's process does not run."))
    );
  }

  async function invoke(name: string, request: unknown): Promise<ConsoleResult<unknown>> {
    const asked = name === 'update' ? consoleMethods.update.request.safeParse(request) : null;
    if (asked?.success === true) {
      options.onUpdateAction(asked.data.action);
      return { ok: true, value: {} };
    }
    if (running === null) {
      return name === 'state'
        ? { ok: true, value: state }
        : { ok: false, refusal: { code: 'no_bridge', message: 'No bridge runs at the moment.' } };
    }
    try {
      return (await ask({ ask: 'invoke', name, request })) as ConsoleResult<unknown>;
    } catch (error) {
      // What was asked may have been done: the payment that it was about says so when the bridge is back.
      return { ok: false, refusal: { code: 'not_connected', message: errorText(error) } };
    }
  }

  async function makeFile(request: Parameters<ConsoleService['makeFile']>[0]) {
    const { file, name, mediaType } = madeFileSchema.parse(await ask({ ask: 'make_file', request }));
    return { name, mediaType, content: piecesOf(file) };
  }

  /** No generator: one that is ended before its first piece would not let the file go. */
  function piecesOf(file: number): AsyncIterable<Uint8Array> {
    const end = { done: true, value: undefined } as const;
    const pieces: AsyncIterator<Uint8Array> = {
      async next() {
        const piece = filePieceSchema.parse(await ask({ ask: 'file_piece', file }));
        return piece === null ? end : { done: false, value: piece };
      },
      async return() {
        await ask({ ask: 'drop_file', file }).catch(() => {});
        return end;
      },
    };
    return { [Symbol.asyncIterator]: () => pieces };
  }

  async function stop(): Promise<void> {
    cancelRestart?.();
    const last = running;
    if (last === null) return;
    await last.questions.ask({ ask: 'stop' }).catch(() => {});
    const cancel = clock.after(exitLimitMs, () => last.child.kill());
    await last.gone;
    cancel();
  }

  return {
    console: { invoke, subscribe: changes.subscribe, makeFile },
    log,
    state: () => state,
    onTerminals,
    lookAtTerminals,
    start,
    showUpdate(next) {
      update = next;
      running?.child.send({ kind: 'update', update });
    },
    async suspend() {
      suspended = true;
      if (running !== null) await ask({ ask: 'suspend' }).catch(() => {});
    },
    resume() {
      suspended = false;
      if (running !== null) ask({ ask: 'resume' }).catch(() => {});
    },
    stop: () => (stopped ??= stop()),
  };
}

function isChange(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'change';
}

/** What the console shows while no process could say anything. */
function noBridge(version: string, bridge: ConsoleState['bridge'], fault: AppFault | null): ConsoleState {
  return {
    version,
    host: 'desktop',
    bridge,
    listener: { kind: 'off' },
    terminal: null,
    journal: { writable: true, text: '', damaged: false },
    currency: 'EUR',
    currentOperation: null,
    doubts: [],
    discrepancies: [],
    discrepancyCount: 0,
    salesHeld: false,
    heldElsewhere: null,
    doubtsElsewhere: 0,
    discrepanciesElsewhere: 0,
    lastPayment: null,
    lastEnded: null,
    blockedOrigins: [],
    ...(fault === null ? {} : { fault }),
  };
}
