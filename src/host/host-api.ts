/** What a host offers to what runs it: the command line, or the desktop app. `createHost` in `index.ts` makes one. */
import type { Log } from '../log/index.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import type { ProcessMemory } from '../base/process-memory.ts';
import type { Configuration, UpdateSettings } from '../contract/configuration.ts';
import type {
  AppFault,
  AppSettings,
  ConsoleService,
  ConsoleState,
  UpdateState,
} from '../contract/console/index.ts';
import type { ConfigurationSources } from './settings/load-configuration.ts';
import type { FeedFetch } from '../updates/index.ts';
import type { ConsoleLinks } from './control/server.ts';

/** Keeps secrets that are stored with the settings. */
export interface SecretBox {
  /** Where `seal` keeps them now. */
  readonly kind: 'system' | 'file';
  /**
   * Text to store for `secret`; `open` gives it back, or null when it cannot (another user, another computer). Both may
   * take as long as a person takes who is asked for a password by the system.
   */
  seal(secret: string): Promise<string>;
  open(sealed: string): Promise<string | null>;
}

export interface HostOptions {
  kind: 'desktop' | 'headless';
  /**
   * Flags, environment and file: they take precedence over what is set in the console, and fix it. The settings of the
   * console are in `settings.json` in the data folder that these name.
   */
  sources: ConfigurationSources;
  /** The terminal when nothing names one: "simulator" where it was asked for. Null: the first start offers the choice. */
  defaultTerminal: string | null;
  /** False: without a terminal nothing is started or written, and `start` fails with `noTerminal`. Otherwise the console offers the choice. */
  mayStartEmpty?: boolean;
  secrets: SecretBox;
  /** A provision file of the whole computer; null, or left out: there is none. It need not exist. */
  provisionFile?: string | null;
  clock: Clock;
  chance: Chance;
  /** Headless: given back to the system while nothing happens. Null, or left out: V8 keeps it as long as it likes. */
  memory?: ProcessMemory | null;
  version: string;
  /** Desktop: the app can be started with the system. */
  canStartWithSystem: boolean;
  /** Desktop: what ended the bridge before this one; the console says so. */
  fault?: AppFault | null;
  /** How an update feed is asked; left out: as Node does it. */
  fetch?: FeedFetch;
  /** How the head office is asked; left out: as Node does it. */
  officeFetch?: typeof fetch;
  /** For "tillbridge console"; null, or left out, where the console is not served as a page. */
  consoleLinks?: () => ConsoleLinks | null;
  /** Called at the start and after each change that was saved. */
  onAppSettings?: (settings: AppSettings) => void;
  /** The same of the settings `updates`. Desktop: the app carries them out. */
  onUpdateSettings?: (settings: UpdateSettings) => void;
}

export type HostStart =
  | { kind: 'running'; warnings: string[] }
  /** No terminal is named: the console offers the choice. */
  | { kind: 'first_start'; warnings: string[] }
  /** `usage`: settings are wrong, each sentence names one. Otherwise something outside refused (port, lock, disk). */
  | { kind: 'failed'; usage: boolean; noTerminal: boolean; messages: string[]; warnings: string[] };

export interface Host {
  readonly console: ConsoleService;
  readonly log: Log;
  /** Null while none runs. Another one after settings were saved that needed it. */
  readonly bridge: Bridge | null;
  /** What runs now, for messages to people. Null while nothing does. */
  readonly running: { configuration: Configuration; folder: string; logFile: string | null } | null;
  /** Where data is kept: the folder that holds settings, tokens and the real terminal's journal. */
  readonly dataDir: string;
  state(): ConsoleState;
  appSettings(): AppSettings;
  /** Starts the bridge if a terminal is named. Never rejects for what can be expected. */
  start(): Promise<HostStart>;
  /** Called with each new bridge, right after it has started, and with null after it has stopped or could not start. */
  onBridge(listener: (bridge: Bridge | null) => void): () => void;
  /**
   * Puts a support bundle into the data folder and gives its path; also where no bridge runs. Rejects with what the file
   * system says.
   */
  saveSupportBundle(): Promise<string>;
  /** Desktop: what the app knows of newer versions, for the console. */
  showUpdate(update: UpdateState | null): void;
  /**
   * Loads what otherwise waits until it is needed (the console's methods, reconciliation, recordings, files to save, Express):
   * an update may take the files away under a bridge that runs. Rejects when they are gone already.
   */
  loadRest(): Promise<void>;
  /** Before the computer sleeps: closes the line. An operation on the terminal then is in doubt and is recovered. */
  suspend(): Promise<void>;
  /** After sleep: opens the line again, at once. */
  resume(): void;
  /** Lets the current operation end, bounded by `stopTimeoutMs`; closes everything. May be called twice. */
  stop(): Promise<void>;
}
