/**
 * Hosts on folders of their own, with the real bridge, journal and simulator, on a virtual clock; all stopped after each
 * test.
 */
import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import {
  consoleMethods,
  consoleStateSchema,
  type ResponseOf,
  type ConsoleChange,
  type ConsoleState,
  type MethodName,
  type ConsoleRefusal,
  type RequestOf,
  type Settings,
} from '../../src/contract/console/index.ts';
import { createHost, fileSecrets, type Host, type HostOptions } from '../../src/host/index.ts';
import { heldFetch } from '../support/held-fetch.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTill, type Till } from '../support/till.ts';
import { createVirtualClock, onClock, type TestTime, type VirtualClock } from '../support/virtual-clock.ts';

export interface HostKit<Time extends TestTime = TestTime> {
  clock: Time;
  /** Time goes on while its promises are waited for. */
  host: Host;
  folder: string;
  /** All that a window would have heard since the start. */
  changes: ConsoleChange[];
  /** The answer, checked by its schema; throws a refusal. */
  invoke<N extends MethodName>(name: N, request: RequestOf<N>): Promise<ResponseOf<N>>;
  refusal(name: string, request: unknown): Promise<ConsoleRefusal>;
  /** Saves the settings in force with `change` made to them. */
  save(change: (settings: Settings) => void): Promise<void>;
  /** Waits until the state, as it was told, fits. */
  state(fits: (state: ConsoleState) => boolean, what: string): Promise<ConsoleState>;
  /** Waits for a change that has come or will come. */
  change<T>(look: (change: ConsoleChange) => T | null | undefined | false, what: string): Promise<T>;
  /** A till at the listener that is open now. */
  till(): Till;
  base(): string;
}

let cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  const all = cleaning.reverse();
  cleaning = [];
  for (const clean of all) await clean();
});

export function afterThisTest(clean: () => Promise<void> | void): void {
  cleaning.push(clean);
}

export function newFolder(): string {
  const folder = tempFolder('host');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface KitOptions {
  folder?: string;
  flags?: Record<string, string>;
  environment?: NodeJS.ProcessEnv;
  host?: Partial<HostOptions>;
}

/** A host that has not been started: desktop, no terminal, any free port, unless told otherwise. */
export function newHost(options: KitOptions = {}): HostKit<VirtualClock> {
  return newHostOn(createVirtualClock({ besideIo: true }), options);
}

/** The same on a time of the caller's. */
export function newHostOn<Time extends TestTime>(clock: Time, options: KitOptions = {}): HostKit<Time> {
  const folder = options.folder ?? newFolder();
  const created = createHost({
    kind: 'desktop',
    sources: {
      flags: { dataDir: folder, port: '0', ...options.flags },
      configFile: null,
      environment: options.environment ?? {},
      currentFolder: folder,
      defaultDataDir: folder,
    },
    defaultTerminal: null,
    secrets: fileSecrets(),
    clock,
    chance: seededChance(clock),
    version: '9.9.9',
    canStartWithSystem: true,
    ...options.host,
  });
  const host = onClock(clock, created);
  cleaning.push(() => host.stop());
  const changes: ConsoleChange[] = [];
  host.console.subscribe((change) => {
    changes.push(change);
    clock.recheck();
  });

  const until: TestTime['until'] = (look, what) =>
    clock.until(look, what).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(host.state())}`, { cause: error });
    });

  /** Loading files takes time of the machine's, in which the clock would go from timer to timer. */
  async function call(name: string, request: unknown) {
    await created.loadRest();
    return await clock.run(host.console.invoke(name, request), name);
  }

  const kit: HostKit<Time> = {
    clock,
    host,
    folder,
    changes,
    async invoke(name, request) {
      const reply = await call(name, request);
      if (!reply.ok) throw new Error(`${reply.refusal.code}: ${reply.refusal.message}`);
      return consoleMethods[name].response.parse(reply.value) as ResponseOf<typeof name>;
    },
    async refusal(name, request) {
      const reply = await call(name, request);
      if (reply.ok) throw new Error(`${name} was answered: ${JSON.stringify(reply.value)}`);
      return reply.refusal;
    },
    async save(change) {
      const { settings } = await kit.invoke('settings', {});
      change(settings);
      await kit.invoke('saveSettings', settings);
    },
    state: (fits, what) =>
      until(() => {
        const told = changes.findLast((change) => change.kind === 'state');
        // What was told may be of a moment ago.
        const now = host.state();
        return fits(now) && (told?.kind !== 'state' || fits(told.state))
          ? consoleStateSchema.parse(now)
          : null;
      }, what),
    change: (look, what) =>
      until(() => {
        for (const change of changes) {
          const found = look(change);
          if (found !== null && found !== undefined && found !== false) return found;
        }
        return null;
      }, what),
    base() {
      const { listener } = host.state();
      if (listener.kind !== 'on') throw new Error(`the listener is ${listener.kind}`);
      return `http://127.0.0.1:${listener.port}`;
    },
    till: () => createTill(kit.base(), (url, init) => heldFetch(clock, url, init)),
  };
  return kit;
}

/** A host that runs with the simulator, ready for a payment. */
export async function readyHost(options: KitOptions = {}): Promise<HostKit<VirtualClock>> {
  const kit = newHost({ ...options, flags: { terminal: 'simulator', ...options.flags } });
  const started = await kit.host.start();
  if (started.kind !== 'running') throw new Error(JSON.stringify(started));
  await isReady(kit);
  return kit;
}

export function isReady(kit: HostKit): Promise<ConsoleState> {
  return kit.state(({ terminal }) => terminal?.connection === 'ready', 'a ready terminal');
}
