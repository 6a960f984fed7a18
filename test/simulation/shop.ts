/**
 * One simulated shop: a terminal, a cable, a bridge with its disk, and everything that is noted about them for the
 * checker. People and accidents act on it; it decides nothing by itself.
 */
import { chanceOf } from '../../src/base/chance.ts';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalWriteError } from '../../src/bridge/journal/journal.ts';
import { currencyExponent } from '../../src/contract/money.ts';
import { repairJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/log.ts';
import type { JournalEvent, OperationStarted } from '../../src/contract/journal-events.ts';
import { createRandom, type Random } from '../support/random.ts';
import { startProcess, type BridgeProcess, type Moment } from './bridge-process.ts';
import type { Cable } from './cable.ts';
import { createDisk, type SimulatedDisk } from './disk.ts';
import type { MoneyCommand, Record } from './evidence.ts';
import type { Plan } from './plan.ts';
import { protocolOf, type SimulatedProtocol, type SimulatedTerminal } from './protocols/index.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';

/** Each kind of record without what the shop itself fills in. */
type Note = Record extends infer R ? (R extends Record ? Omit<R, 'order' | 'atMs' | 'era'> : never) : never;

interface Started {
  operationId: string;
  kind: MoneyCommand;
  reference: string | null;
  amountMinor: number | null;
  /** Of the terminal that the bridge took it for; null where none had told its id. */
  terminalId: string | null;
}

/** Who follows the lives of the bridge. */
export interface Life {
  began(process: BridgeProcess): void;
  /** Something came into the journal. */
  written(): void;
  /** It was killed or has stopped. */
  ended(process: BridgeProcess): void;
}

/** A request for a sale. */
interface Wish {
  reference: string;
  order: number;
  gone(): boolean;
  /** When the bridge had it, by the bridge's clocks. */
  arrivedAt(): { nowMs: number; elapsedMs: number };
}

export interface Shop {
  readonly plan: Plan;
  readonly world: WorldClock;
  readonly protocol: SimulatedProtocol;
  /** How many of the ledger's minor units are one of the currency's own. */
  readonly minorPerUnit: number;
  readonly terminal: SimulatedTerminal;
  readonly cable: Cable;
  readonly disk: SimulatedDisk;
  readonly ledgerFile: string;
  readonly journalFile: string;
  readonly journalFolder: string;
  readonly backupFolder: string;
  /** The life that the bridge is in; null between two. */
  readonly process: BridgeProcess | null;
  readonly records: readonly Record[];
  /** The newest `seq` that was written to the journal. */
  readonly journalSeq: number;
  /** Set by what people have to look at, cleared by them. */
  attention: boolean;
  /** No more accidents happen. */
  calm: boolean;
  /** A stream of chance of its own for each use, so that leaving something out does not change the rest. */
  random(stream: string): Random;
  note(record: Note): number;
  /** From here on an answer may be taken for another one. */
  noteResent(): void;
  /** The order that the next record gets. */
  readonly order: number;
  ledgerBytes(): number;
  ledger(): { offset: number; fact: { [field: string]: unknown } }[];
  /** What was started by the newest command of that operation, as far as anybody saw. */
  started(operationId: string): Started | null;
  /** The terminal is at work on a command that moves money. */
  atWork(): boolean;
  /** Requests for a sale that nobody has answered yet; who goes away takes his with him. */
  readonly wanting: Set<Wish>;
  kill(power: boolean): void;
  /** Starts the bridge; again and again while its disk refuses. */
  start(): void;
  stop(): Promise<void>;
  /** Another bridge on this machine with the same terminal; gives what ends it. Nobody asks it for anything. */
  startSecond(): () => void;
  /** Puts yesterday's journal in the place of today's; the bridge is down. */
  restore(): boolean;
  /** Hears of each moment at which something may happen. */
  onMoment: (what: string) => void;
  life: Life | null;
  count(what: string, times?: number): void;
  readonly counts: Map<string, number>;
  trace(text: () => string): void;
  close(): Promise<void>;
}

/** What people have to look at. */
const forPeople: ReadonlySet<string> = new Set([
  'operation_in_doubt',
  'evidence_found',
  'discrepancy_found',
  'journal_repaired',
]);
const startsAt = Date.UTC(2026, 2, 2, 8, 0, 0);
const restartDelayMs = 1_000;

export function createShop(plan: Plan, folder: string, tell: ((line: string) => void) | null): Shop {
  const world = createWorldClock(startsAt);
  const random = (stream: string) => createRandom(plan.seed, hash(stream));
  const records: Record[] = [];
  const counts = new Map<string, number>();
  const startedById = new Map<string, Started>();
  const leftToPerson = new Set<string>();
  /** Operations whose command the terminal has taken. */
  const commanded = new Set<string>();
  /** Operations that are over without a person's word: what is still under way for them must not come any more. */
  const endedByBridge = new Set<string>();
  const ledgerFile = join(folder, 'terminal', 'ledger.jsonl');
  const journalFolder = join(folder, 'journal');
  const journalFile = join(journalFolder, 'journal.sqlite');
  const backupFolder = join(folder, 'backup');
  const disk = createDisk(journalFolder, journalFile);
  const protocol = protocolOf(plan.protocol);
  let order = 0;
  let atMoney = false;
  let era = 0;
  let journalSeq = 0;
  let lastStarted: Started | null = null;
  let process: BridgeProcess | null = null;
  let lockHolder: BridgeProcess | null = null;
  let wantsToRun = false;

  function trace(text: () => string): void {
    tell?.(`${(world.elapsed() / 1_000).toFixed(3).padStart(11)} s  ${text()}`);
  }

  const installation = protocol.install({
    plan,
    world,
    random: random('cable'),
    ledgerFile,
    onCommand,
    onPiece: (direction) => shop.onMoment(`cable:${direction}`),
    onRepeat: noteResent,
    trace,
  });
  const { terminal, cable } = installation;

  /** Null: one that moves no money. */
  function onCommand(command: MoneyCommand | null): void {
    atMoney = command !== null;
    if (command === null) return;
    const mine = lastStarted?.kind === command ? lastStarted : null;
    const owed = mine !== null && !commanded.has(mine.operationId) && !endedByBridge.has(mine.operationId);
    if (mine !== null) commanded.add(mine.operationId);
    shop.note({
      kind: 'command',
      what: command,
      ledgerBytes: shop.ledgerBytes(),
      operationId: mine?.operationId ?? null,
      reference: mine?.reference ?? null,
      owed,
    });
    trace(() => `terminal: takes a ${command} (${mine?.reference ?? mine?.operationId ?? 'of nobody'})`);
  }

  function onWritten(events: readonly JournalEvent[], seq: number | null): void {
    journalSeq = seq ?? journalSeq;
    shop.life?.written();
    for (const event of events) {
      trace(() => `journal: ${describe(event)}`);
      if (event.type === 'operation_started') noteOperation(event);
      if (event.type === 'operation_ended' && event.resolvedBy === null) endedByBridge.add(event.operationId);
      if (event.type === 'operation_ended' && event.outcome === 'closed')
        noteClose('closed', event.operationId);
      if (event.type === 'discrepancy_found') noteFound(event);
      if (event.type === 'discrepancy_acknowledged') {
        shop.note({ kind: 'acknowledged', discrepancyId: event.discrepancyId });
      }
      const isResult =
        event.type === 'result_received' || (event.type === 'late_result_received' && event.accepted);
      if (isResult && event.result.approved) {
        shop.note({ kind: 'result', operationId: event.operationId, ledgerBytes: shop.ledgerBytes() });
      }
      if (event.type === 'evidence_found' && event.needsPerson) noteDoubt(event);
      if (forPeople.has(event.type)) shop.attention = true;
    }
  }

  function noteOperation(event: OperationStarted): void {
    const { operationId, kind } = event;
    const started: Started = {
      operationId,
      kind,
      reference: kind === 'batch_close' ? null : event.reference,
      amountMinor: kind === 'batch_close' ? null : event.amountMinor,
      terminalId: event.terminal.terminalId,
    };
    startedById.set(operationId, started);
    lastStarted = started;
    if (event.kind === 'sale') noteStart(event.reference, operationId, event.amountMinor);
    if (event.kind === 'batch_close') noteClose('begun', operationId);
  }

  function noteClose(step: 'begun' | 'closed', operationId: string): void {
    shop.note({ kind: 'close', step, operationId, ledgerBytes: shop.ledgerBytes() });
  }

  /** Why a person was called, once for each operation; numbers in it differ from one to the next. */
  function noteDoubt({ operationId, evidence }: Extract<JournalEvent, { type: 'evidence_found' }>): void {
    if (leftToPerson.has(operationId)) return;
    leftToPerson.add(operationId);
    const kind = startedById.get(operationId)?.kind ?? 'operation';
    shop.count(`doubt ${kind}: ${evidence.explanation.replaceAll(/\d[\d.,]*\d|\d/g, '…')}`);
  }

  function noteFound(event: Extract<JournalEvent, { type: 'discrepancy_found' }>): void {
    const { discrepancyId, kind, operationId, references, amountMinor } = event;
    shop.count(`discrepancy ${kind}`);
    shop.note({ kind: 'found', discrepancyId, what: kind, operationId, references, amountMinor });
  }

  /** Law 6: a payment starts only for somebody who is there, and who has asked in the last ten seconds. */
  function noteStart(reference: string, operationId: string, amountMinor: number): void {
    const clock = process?.clock ?? world;
    const asked = [...shop.wanting].filter((one) => one.reference === reference);
    const wanted = asked.some(
      (one) =>
        !one.gone() &&
        clock.elapsed() - one.arrivedAt().elapsedMs <= requestLifeMs &&
        clock.now() - one.arrivedAt().nowMs <= requestLifeMs,
    );
    const askedOrder = Math.max(0, ...asked.map((one) => one.order));
    shop.note({ kind: 'start', reference, operationId, amountMinor, wanted, askedOrder });
  }

  function noteResent(): void {
    shop.note({ kind: 'resent', ledgerBytes: shop.ledgerBytes() });
  }

  function onMoment(_moment: Moment): void {
    shop.onMoment(_moment);
  }

  const shop: Shop = {
    plan,
    world,
    protocol,
    minorPerUnit: 10 ** currencyExponent(protocol.currency),
    terminal,
    cable,
    disk,
    ledgerFile,
    journalFile,
    journalFolder,
    backupFolder,
    get process() {
      return process;
    },
    records,
    get journalSeq() {
      return journalSeq;
    },
    attention: false,
    calm: false,
    random,
    note(record) {
      order += 1;
      records.push({ ...record, order, atMs: world.elapsed(), era } as Record);
      return order;
    },
    get order() {
      return order + 1;
    },
    ledgerBytes: () => statSync(ledgerFile, { throwIfNoEntry: false })?.size ?? 0,
    ledger() {
      if (shop.ledgerBytes() === 0) return [];
      let offset = 0;
      return readFileSync(ledgerFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const at = offset;
          offset += Buffer.byteLength(line) + 1;
          return { offset: at, fact: JSON.parse(line) as { [field: string]: unknown } };
        });
    },
    started: (operationId) => startedById.get(operationId) ?? null,
    noteResent,
    atWork: () => terminal.busy && atMoney,
    wanting: new Set(),
    kill(power) {
      const dying = process;
      if (dying === null) return;
      trace(() => (power ? 'the machine loses its power' : 'the bridge is killed'));
      process = null;
      dying.kill();
      shop.life?.ended(dying);
      releaseLock(dying);
      // What it is doing at this moment has to come to its end before its files are closed.
      world.after(0, () => {
        const lost = power && disk.losePower(() => dying.letGo());
        if (!power) dying.letGo();
        if (lost) trace(() => 'what had not been synced is lost');
      });
    },
    start() {
      if (process !== null) return;
      wantsToRun = true;
      tryToStart();
    },
    async stop() {
      wantsToRun = false;
      const leaving = process;
      if (leaving === null) return;
      trace(() => 'the bridge is asked to stop');
      await leaving.stop();
      shop.life?.ended(leaving);
      leaving.letGo();
      releaseLock(leaving);
      if (process === leaving) process = null;
    },
    startSecond() {
      trace(() => 'a second bridge starts');
      const second = startProcess({
        ...forEachProcess,
        random: random(`second ${order}`),
        folder: join(folder, 'second'),
        onMoment: () => {},
        onWritten: () => {},
      });
      return () => {
        trace(() => 'the second bridge ends');
        second.kill();
        releaseLock(second);
        second.letGo();
      };
    },
    restore() {
      if (!disk.restore(backupFolder)) return false;
      era += 1;
      trace(() => "yesterday's journal is put in the place of today's");
      shop.note({ kind: 'loss', what: 'restored', ledgerBytes: shop.ledgerBytes(), journalSeq: 0 });
      return true;
    },
    onMoment: () => {},
    life: null,
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    counts,
    trace,
    async close() {
      shop.onMoment = () => {};
      await shop.stop();
      await terminal.close();
    },
  };

  const forEachProcess = {
    world,
    installation,
    currency: protocol.currency,
    maxTipPercent: plan.maxTipPercent,
    heartbeatMs: plan.heartbeatMs,
    onResent: noteResent,
    // What it saw while its disk refused it may tell later.
    onLook() {
      if (disk.trouble === null) shop.note({ kind: 'look' });
    },
    keepsWhatItRefuses: () => disk.trouble === 'failing_after_commit',
    onFault: (text: string) => void shop.note({ kind: 'misdeed', text: `a fault of the bridge: ${text}` }),
    lock(holder: BridgeProcess) {
      if (lockHolder !== null && lockHolder !== holder) return { kind: 'taken', message: 'taken' } as const;
      lockHolder = holder;
      return { kind: 'held', release: () => releaseLock(holder) } as const;
    },
    onWrite(writer: BridgeProcess) {
      if (lockHolder === writer) return;
      shop.note({ kind: 'misdeed', text: 'a bridge without the lock writes to the terminal' });
    },
    trace,
  };

  /** The operating system gives back what a dead process has locked. */
  function releaseLock(holder: BridgeProcess): void {
    if (lockHolder === holder) lockHolder = null;
  }

  function tryToStart(): void {
    if (!wantsToRun || process !== null) return;
    let next: BridgeProcess;
    try {
      next = startProcess({
        ...forEachProcess,
        random: random(`bridge ${order}`),
        folder: journalFolder,
        onMoment,
        onWritten,
      });
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      trace(() => `the bridge cannot start: ${error.message}`);
      world.after(restartDelayMs, tryToStart);
      return;
    }
    if (next.damage !== null) {
      trace(() => `the journal is damaged: ${next.damage ?? ''}`);
      next.kill();
      repair();
      world.after(restartDelayMs, tryToStart);
      return;
    }
    process = next;
    shop.life?.began(next);
    shop.attention = true;
    trace(() => 'the bridge starts');
  }

  /** A named person chooses to go on with what is left. */
  function repair(): void {
    const random = shop.random('repair');
    const bytes = (count: number) => Uint8Array.from({ length: count }, () => random.integer(0, 255));
    let discrepancyId = '';
    const result = repairJournal({
      uuid: () => (discrepancyId = chanceOf(world, bytes).uuid()),
      folder: journalFolder,
      clock: world,
      log: silentLog,
      by: 'Support',
      reason: 'The journal was damaged.',
      version: 'simulation',
    });
    const lost = result.kind === 'repaired' ? result.eventsLost : 0;
    trace(() => `the journal is repaired: ${result.kind}, and ${lost} events are lost`);
    shop.count(`journal repaired ${lost === 0 ? 'without' : 'with'} loss`);
    if (lost > 0) {
      era += 1;
      shop.note({ kind: 'loss', what: 'repaired', ledgerBytes: shop.ledgerBytes(), journalSeq: 0 });
    }
    // The repair writes what it has found by itself.
    if (discrepancyId === '') return;
    shop.count('discrepancy journal_loss');
    const nothing = { operationId: null, references: [], amountMinor: null };
    shop.note({ kind: 'found', discrepancyId, what: 'journal_loss', ...nothing });
  }

  return shop;
}

/** Law 6. */
const requestLifeMs = 10_000;

function describe(event: JournalEvent): string {
  const { type, ...rest } = event as { type: string; [field: string]: unknown };
  const words: string[] = [];
  for (const name of [
    'kind',
    'reference',
    'outcome',
    'reason',
    'message',
    'continuity',
    'resolution',
    'trait',
  ]) {
    const value = rest[name];
    if (typeof value === 'string') words.push(value);
  }
  const evidence = rest['evidence'] as { explanation?: string } | null | undefined;
  if (evidence?.explanation !== undefined) words.push(evidence.explanation);
  if (typeof rest['operationId'] === 'string') words.push(`(${rest['operationId'].slice(-6)})`);
  return `${type.replaceAll('_', ' ')}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
}

function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return value;
}
