/** Shops of a chain for tests: journals on disk, and the link to a head office in memory, all on one virtual clock. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect } from 'vitest';
import { exportJournal, openJournal, type Journal } from '../../../src/bridge/journal/index.ts';
import type { PaymentsEvent, PaymentsStatus } from '../../../src/bridge/payments/index.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { LogLevel } from '../../../src/contract/log.ts';
import { createOfficeLink, type OfficeLink } from '../../../src/host/office/office-link.ts';
import type { OfficeSource } from '../../../src/host/office/office-source.ts';
import { silentLog, type LogFields } from '../../../src/log/index.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { createFakeOffice, type FakeOffice } from './fake-office.ts';

export const officeUrl = 'https://office.example';

interface LoggedLine {
  level: LogLevel;
  message: string;
  fields: LogFields;
}

export interface Shop {
  readonly clock: VirtualClock;
  readonly office: FakeOffice;
  readonly folder: string;
  readonly link: OfficeLink;
  readonly log: LoggedLine[];
  /** Of warnings and errors. */
  readonly complaints: () => string[];
  /** What runs now; a test may change the state of a terminal. */
  readonly terminals: ShopTerminal[];
  setBridge(state: OfficeSource['state']): void;
  /** The bridge starts, with the link as it was. */
  open(): void;
  /** The bridge stops. */
  close(): void;
  /** The whole program starts anew with these settings. */
  restart(settings?: ShopSettings): void;
  /** The office has each journal as it is on disk, in one of its chains. */
  allSent(): Promise<void>;
  hasAll(): boolean;
  countOf(action: string): number;
}

interface ShopSettings {
  url?: string;
  code?: string | null;
}

interface ShopTerminal {
  name: string;
  folder: string;
  journal: Journal;
  status: PaymentsStatus;
  listeners: Set<(event: PaymentsEvent) => void>;
  /** Writes events, and tells of them as the payments module does. */
  append(...events: JournalEvent[]): void;
  /** Another journal comes into the place of this one, and nobody is told. */
  exchange(change: (folder: string) => void): void;
  changed(
    change: Partial<PaymentsStatus['terminal']> & Pick<Partial<PaymentsStatus>, 'currentOperation'>,
  ): void;
}

const shops: { end(): void }[] = [];
afterEach(() => {
  for (const { end } of shops.splice(0)) end();
});

export function newShop(
  options: {
    names?: string[];
    simulated?: boolean;
    code?: string | null;
    url?: string;
    office?: FakeOffice;
    /** Before the bridge opens its journals. */
    before?: (folder: string) => void;
  } = {},
): Shop {
  const { names = ['main'], simulated = false, office = createFakeOffice(), before = () => {} } = options;
  const folder = tempFolder('office');
  const clock = createVirtualClock();
  const chance = seededChance(clock);
  const log: LoggedLine[] = [];
  const complaints = () =>
    log.filter(({ level }) => level === 'warn' || level === 'error').map(({ message }) => message);
  let settings: Required<ShopSettings> = {
    url: options.url ?? officeUrl,
    code: options.code === undefined ? office.newCode() : options.code,
  };
  let terminals: ShopTerminal[] = [];
  let state: OfficeSource['state'] = { kind: 'stopped' };
  const source: OfficeSource = {
    get state() {
      return state;
    },
    listener: { state: { kind: 'on', port: 8080, addresses: [] } },
    get running() {
      return state.kind === 'running' ? { bridge: { terminals: terminals.map(sourceOf) }, terminals } : null;
    },
  };
  const folderOf = (name: string) => path.join(folder, name);

  function newLink(): OfficeLink {
    return createOfficeLink({
      ...settings,
      source,
      dataDir: folder,
      version: '9.9.9',
      clock,
      chance,
      log: createNotingLog((level, message, fields) => {
        log.push({ level, message, fields });
        clock.recheck();
      }),
      fetch: office.fetch,
      // What other threads do is not seen by the clock.
      compress: (text) => Promise.resolve(new Uint8Array(gzipSync(text))),
    });
  }

  function openJournals() {
    terminals = names.map((name) => openShopTerminal(name, folderOf(name), simulated, clock));
    state = { kind: 'running' };
  }

  function closeJournals() {
    for (const { journal } of terminals) journal.close();
    state = { kind: 'stopped' };
  }

  const journalName = (name: string) => `${simulated ? 'simulated' : 'live'}/${name}`;
  const shop: Shop = {
    clock,
    office,
    folder,
    get link() {
      return link;
    },
    log,
    complaints,
    get terminals() {
      return terminals;
    },
    setBridge(next) {
      state = next;
      link.stateChanged();
    },
    open() {
      openJournals();
      link.follow();
    },
    close() {
      closeJournals();
      link.follow();
    },
    restart(changes = {}) {
      link.stop();
      closeJournals();
      settings = { ...settings, ...changes };
      openJournals();
      link = newLink();
    },
    async allSent() {
      await clock.until(shop.hasAll, 'an office that has all');
      expect(office.complaints).toEqual([]);
    },
    hasAll: () =>
      terminals.every(({ name, journal }) => {
        const chains = office.chains(journalName(name));
        // The whole comparison only once it can be.
        if (!chains.some(({ length }) => length === journal.lastSeq())) return false;
        const lines = exportedLines(folderOf(name));
        return chains.some((chain) => sameLines(chain, lines));
      }),
    countOf: (action) => office.calls.filter((call) => call.action === action).length,
  };
  for (const name of names) before(folderOf(name));
  openJournals();
  let link = newLink();
  shops.push({
    end() {
      link.stop();
      closeJournals();
      rmSync(folder, { recursive: true, force: true });
    },
  });
  return shop;
}

function openShopTerminal(
  name: string,
  folder: string,
  simulated: boolean,
  clock: VirtualClock,
): ShopTerminal {
  const openedHere = (): Journal => {
    const opened = openJournal({ folder, clock, log: silentLog, version: '9.9.9' });
    if (opened.kind !== 'opened') throw new Error(opened.message);
    return opened.journal;
  };
  let journal = openedHere();
  const listeners = new Set<(event: PaymentsEvent) => void>();
  const tell = (event: PaymentsEvent) => {
    // As the payments module does: in a later turn.
    setImmediate(() => {
      for (const listener of listeners) listener(event);
    });
  };
  const status: PaymentsStatus = {
    terminal: {
      connection: 'ready',
      text: '',
      line: 'memory:x',
      terminal: { protocol: 'zvt', terminalId: '52500041' },
      simulated,
      progress: null,
      progressStep: null,
    },
    journal: { writable: true, text: '' },
    inDoubt: 0,
    discrepancies: 0,
    currentOperation: null,
  };
  return {
    name,
    folder,
    get journal() {
      return journal;
    },
    status,
    listeners,
    exchange(change) {
      journal.close();
      rmSync(folder, { recursive: true });
      change(folder);
      journal = openedHere();
    },
    append(...events) {
      for (const stored of journal.append(...events)) tell({ kind: 'journal_event', stored, payment: null });
    },
    changed({ currentOperation, ...terminal }) {
      Object.assign(status.terminal, terminal);
      if (currentOperation !== undefined) status.currentOperation = currentOperation;
      tell({ kind: 'terminal', terminal: status.terminal });
    },
  };
}

function sourceOf({ name, journal, status, listeners }: ShopTerminal) {
  return {
    name,
    retired: false,
    journal,
    payments: {
      status: () => status,
      salesHeld: () => false,
      mayMissPayments: () => false,
      subscribe(listener: (event: PaymentsEvent) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

/** As `tillbridge journal export` has them. */
export function exportedLines(folder: string): string[] {
  const lines: string[] = [];
  exportJournal(folder, (line) => lines.push(line));
  return lines;
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
