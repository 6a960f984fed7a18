/** Answers the main process: makes the host as the first message says, and passes on what both tell each other. */
import { errorText } from '../base/error-text.ts';
import { createQuestions, type Answer } from '../base/questions.ts';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import {
  openedSecretSchema,
  sealedSecretSchema,
  toBridgeSchema,
  type AppQuestion,
  type BridgeQuestion,
  type ToApp,
  type ToBridge,
} from '../contract/bridge-channel.ts';
import { createHost, type Host, type SecretBox } from '../host/index.ts';
import { createChangeSender } from './change-sender.ts';
import { createServedFiles } from './served-files.ts';

/** The way to the main process. */
export interface AppPort {
  send(message: ToApp): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called when nobody is at the other end any more. */
  onClose(listener: () => void): void;
}

export interface ServeOptions {
  clock: Clock;
  chance: Chance;
  /** The system asks this process to end. */
  onSignal(stop: () => void): void;
  /** The process has nothing more to do. */
  exit(): void;
}

export function serveHost(port: AppPort, options: ServeOptions): void {
  const { clock, chance } = options;
  const questions = createQuestions((id, question) =>
    port.send({ kind: 'question', id, question: question as AppQuestion }),
  );
  const changes = createChangeSender((change) => port.send({ kind: 'change', change }));
  let host: Host | null = null;
  let files: ReturnType<typeof createServedFiles> | null = null;

  function begin({ sources, provisionFile, version, secrets, fault, suspended }: Start): void {
    host = createHost({
      kind: 'desktop',
      sources: { flags: {}, configFile: null, ...sources },
      defaultTerminal: null,
      provisionFile,
      secrets: askedSecrets(secrets, (question) => questions.ask(question)),
      clock,
      chance,
      version,
      fault: fault === null ? null : { ...fault, runsSince: new Date(clock.now()).toISOString() },
      canStartWithSystem: true,
      onAppSettings: (settings) => port.send({ kind: 'app_settings', settings }),
      onUpdateSettings: (settings) => port.send({ kind: 'update_settings', settings }),
    });
    files = createServedFiles(host.console);
    if (suspended) void host.suspend();
    host.console.subscribe(changes.send);
    port.send({ kind: 'ready' });
    port.send({ kind: 'change', change: { kind: 'state', state: host.state() } });
    void start(host);
  }

  async function start(started: Host): Promise<void> {
    const result = await started.start();
    // Anything else that keeps a bridge from starting is in the log already, and is tried again.
    if (result.kind === 'failed' && result.usage)
      started.log.error(result.messages.join(' '), { source: 'app' });
  }

  /** An operation on the terminal is let end, within bounds. */
  async function stop(): Promise<void> {
    await host?.stop();
  }

  async function answerTo(question: BridgeQuestion): Promise<unknown> {
    if (host === null || files === null) throw new Error('It has not been started.');
    switch (question.ask) {
      case 'invoke':
        return host.console.invoke(question.name, question.request);
      case 'make_file':
        return files.make(question.request);
      case 'file_piece':
        return files.piece(question.file);
      case 'drop_file':
        return files.drop(question.file);
      case 'suspend':
        return host.suspend();
      case 'resume':
        return host.resume();
      case 'ping':
        return null;
      case 'stop':
        return stop();
    }
  }

  async function answer(id: number, question: BridgeQuestion): Promise<void> {
    const given: Answer = await answerTo(question).then(
      (value) => ({ ok: true, value: value ?? null }),
      (error: unknown) => ({ ok: false, message: errorText(error).slice(0, 10_000) }),
    );
    port.send({ kind: 'answer', id, answer: given });
    // The message is on its way in the next turn of the event loop.
    if (question.ask === 'stop') clock.after(afterLastAnswerMs, options.exit);
  }

  function take(message: ToBridge): void {
    switch (message.kind) {
      case 'start':
        return begin(message);
      case 'question':
        return void answer(message.id, message.question);
      case 'answer':
        return questions.answered(message.id, message.answer);
      case 'log':
        return host?.log[message.level](message.message, message.fields);
      case 'update':
        return host?.showUpdate(message.update);
      case 'taken':
        return changes.taken(message.changes);
    }
  }

  function end(): void {
    questions.end('The app has ended.');
    changes.stop();
    stop().then(options.exit, options.exit);
  }

  port.onMessage((data) => {
    const message = toBridgeSchema.safeParse(data);
    if (message.success) take(message.data);
    else host?.log.error('a message of the app was refused: its form is wrong', { source: 'app' });
  });
  // Nobody would see the bridge any more, nor be able to end it.
  port.onClose(end);
  options.onSignal(end);
}

type Start = Extract<ToBridge, { kind: 'start' }>;

const afterLastAnswerMs = 100;

/** The system's key store, which only the main process reaches. */
function askedSecrets(first: SecretBox['kind'], ask: (question: AppQuestion) => Promise<unknown>): SecretBox {
  let kind = first;
  return {
    get kind() {
      return kind;
    },
    async seal(secret) {
      const sealed = sealedSecretSchema.parse(await ask({ ask: 'seal', secret }));
      kind = sealed.kind;
      return sealed.sealed;
    },
    open: async (sealed) => openedSecretSchema.parse(await ask({ ask: 'open', sealed })),
  };
}
