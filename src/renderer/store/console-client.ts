/** The window's end of the console's interface: methods with typed results, and changes, kept and passed on. */
import {
  consoleChangeSchema,
  consoleMethods,
  consoleRefusalSchema,
  settingsViewSchema,
  shutOutSchema,
  type ResponseOf,
  type ConsoleTransport,
  type ConsoleChange,
  type ConsoleState,
  type FileRequest,
  type MethodName,
  type ConsoleResult,
  type RequestOf,
  type SettingsView,
  type ShutOut,
} from '../../contract/console/index.ts';
import { printableValue } from '../../base/printable-text.ts';
import { errorText } from '../../base/error-text.ts';
import { createEmitter } from '../../base/emitter.ts';
import { z } from 'zod';

export interface ConsoleClient {
  /** Never rejects: no connection and a result of the wrong form are refusals with `not_connected` and `internal_error`. */
  invoke<N extends MethodName>(name: N, request: RequestOf<N>): Promise<ConsoleResult<ResponseOf<N>>>;
  /** Subscribes to every change. Returns a function that ends it. */
  onChange(listener: (change: ConsoleChange) => void): () => void;
  save(request: FileRequest): ReturnType<ConsoleTransport['save']>;
  /** Quits the desktop app; null where there is none. */
  readonly quit: (() => void) | null;
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void;
  /** The latest snapshot; the same object until something has changed. */
  view(): ClientView;
}

export interface ClientView {
  /** Null until the first response of the host. */
  state: ConsoleState | null;
  settings: SettingsView | null;
  connected: boolean;
  /** Changes come some seconds late: too many windows of this browser are open. */
  late: boolean;
  /** When the connection was lost, in milliseconds; absent while there is one. Until then, what is shown was so. */
  lostAtMs?: number | null;
  /** Not null: a bridge answers, but this window needs another link, and why. */
  shutOut: ShutOut | null;
}

const consoleResultSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), refusal: consoleRefusalSchema }),
]);

export function createConsoleClient(transport: ConsoleTransport, now = () => Date.now()): ConsoleClient {
  let view: ClientView = { state: null, settings: null, connected: true, late: false, shutOut: null };
  const onFault = (error: unknown) => console.error('A subscriber of the console failed.', error);
  const viewEmitter = createEmitter<void>({ onFault });
  const changeEmitter = createEmitter<ConsoleChange>({ onFault });
  /** How often each was received. */
  const received = { state: 0, settings: 0 };
  /** How often the connection came or went. */
  let turns = 0;

  function update(change: Partial<ClientView>) {
    const connected = change.connected ?? view.connected;
    const lostAtMs = connected ? null : (view.lostAtMs ?? now());
    view = { ...view, ...change, lostAtMs };
    viewEmitter.emit(undefined);
  }

  async function invoke<N extends MethodName>(
    name: N,
    request: RequestOf<N>,
  ): Promise<ConsoleResult<ResponseOf<N>>> {
    let answer: unknown;
    try {
      answer = await transport.invoke(name, request);
    } catch (error) {
      const message = errorText(error);
      return { ok: false, refusal: { code: 'not_connected', message } };
    }
    const result = consoleResultSchema.safeParse(answer);
    if (!result.success) return misunderstood(name, result.error);
    if (!result.data.ok) return result.data;
    const value = consoleMethods[name].response.safeParse(result.data.value);
    if (!value.success) return misunderstood(name, value.error);
    // Who has saved sees at once what is in force now, not only when the change comes.
    const saved =
      (name === 'saveSettings' || name === 'allowOrigin') && settingsViewSchema.safeParse(value.data);
    if (saved !== false && saved.success) update({ settings: saved.data });
    return { ok: true, value: shownValue(name, value.data) as ResponseOf<N> };
  }

  function receive(message: unknown) {
    const change = consoleChangeSchema.safeParse(message);
    if (!change.success) {
      console.error('A change was not understood.', z.prettifyError(change.error));
      return;
    }
    if (change.data.kind === 'state' || change.data.kind === 'settings') received[change.data.kind] += 1;
    const printable = change.data.kind === 'settings' ? change.data : printableValue(change.data);
    if (printable.kind === 'state') update({ state: printable.state });
    if (printable.kind === 'settings') update({ settings: printable.view });
    changeEmitter.emit(printable);
  }

  /**
   * After the first connection and after each lost one: changes of the time between were not sent. What came since
   * the request may be newer than the response; if it is not, a newer one is on its way. Nothing of it counts when the
   * connection was lost meanwhile, or lost and found: a bridge that is gone must not be shown as ready.
   */
  async function catchUp() {
    const before = { ...received };
    const turn = turns;
    const [state, settings] = await Promise.all([invoke('state', {}), invoke('settings', {})]);
    if (turn !== turns) return;
    setShutOut(state);
    update({
      ...(state.ok && received.state === before.state ? { state: state.value } : {}),
      ...(settings.ok && received.settings === before.settings ? { settings: settings.value } : {}),
      connected: state.ok,
    });
  }

  /** A window that was ended shows nothing any more; one that has lost its bridge shows what it was, as the past. */
  function setShutOut(result: ConsoleResult<unknown>) {
    const shutOut = result.ok ? null : (shutOutSchema.safeParse(result.refusal.code).data ?? null);
    update({ shutOut, ...(shutOut === 'access_revoked' ? { state: null } : {}) });
  }

  /** A lost connection does not say whether nobody is there or somebody who refuses; a request does. */
  async function findOutWhy() {
    const state = await invoke('state', {});
    if (!view.connected) setShutOut(state);
  }

  transport.subscribe(receive, (connected, late = false) => {
    turns += 1;
    update({ connected, late });
    void (connected ? catchUp() : findOutWhy());
  });
  void catchUp();

  return {
    invoke,
    save: (request) => transport.save(request),
    quit: transport.quit ?? null,
    onChange: changeEmitter.subscribe,
    subscribe: viewEmitter.subscribe,
    view: () => view,
  };
}

const settingsMethods: readonly MethodName[] = ['settings', 'saveSettings', 'allowOrigin'];

/**
 * React keeps a text from being markup; this keeps it from turning the letters of the page around, hiding some, or
 * covering what stands beside it. Settings are left as they are: what is shown of them is saved again.
 */
function shownValue(name: MethodName, value: unknown): unknown {
  return settingsMethods.includes(name) ? value : printableValue(value);
}

function misunderstood(
  name: string,
  error: z.ZodError,
): { ok: false; refusal: z.infer<typeof consoleRefusalSchema> } {
  const message = `The answer to "${name}" was not understood: ${z.prettifyError(error)}`;
  console.error(message);
  return { ok: false, refusal: { code: 'internal_error', message } };
}
