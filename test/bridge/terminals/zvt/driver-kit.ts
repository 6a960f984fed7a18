/** The real driver on a memory line against a terminal that the test plays, on a clock that the test moves. */
import { zvtSettingsSchema, type ZvtSettings } from '../../../../src/contract/configuration.ts';
import type { OperationTimes } from '../../../../src/contract/journal-events.ts';
import type { Currency } from '../../../../src/contract/money.ts';
import type { TerminalRecord, TerminalTrait } from '../../../../src/contract/terminal.ts';
import { silentLog, type Log } from '../../../../src/log/log.ts';
import type {
  OperationWatch,
  Readiness,
  TerminalDriver,
} from '../../../../src/bridge/terminals/terminal-driver.ts';
import { createZvtProtocol } from '../../../../src/bridge/terminals/zvt/index.ts';
import { encodeMessage, hex } from '../../../../src/bridge/terminals/zvt/wire/index.ts';
import { createVirtualClock, settle, type VirtualClock } from '../../../support/virtual-clock.ts';
import {
  createScriptedTerminal,
  type Framing,
  type ScriptedTerminal,
} from '../../../support/zvt-scripted-terminal.ts';

export const amountMinor = 1200;
export const terminalId = '28004869';
/** 06 01 as it has to be on the wire for 12.00 EUR. */
export const saleApdu = '06010c040000000012004909781940';
export const completion = '060f00';
export const aborted = '061e016c';
export const insertCard = '04ff010a';

export interface Kit {
  clock: VirtualClock;
  terminal: ScriptedTerminal;
  driver: TerminalDriver;
  /** Results that were put on disk, in order; `writable` false makes the disk fail. */
  disk: { results: TerminalRecord[]; writable: boolean };
  /** Approving results that did not fit, in order. */
  refused: TerminalRecord[];
  watch: OperationWatch;
  progress: string[];
  /** Late results that were offered; `adopt` says what the engine makes of them. */
  late: { results: TerminalRecord[]; adopt: boolean };
  /** What the journal knows of the terminal, once it has told its id. */
  knownTraits: Set<TerminalTrait>;
  learnt: { terminalId: string | null; trait: TerminalTrait; explanation: string }[];
  /** How often the acknowledgement of the result was said to have arrived. */
  acknowledged: number;
  /** How long the terminal took, as it was told last. */
  times: OperationTimes | null;
}

export function createKit(
  options: { framing?: Framing; settings?: Partial<ZvtSettings>; currency?: Currency; log?: Log } = {},
): Kit {
  const clock = createVirtualClock();
  const terminal = createScriptedTerminal(options.framing ?? 'serial');
  const settings: ZvtSettings = {
    ...zvtSettingsSchema.parse({}),
    ...options.settings,
  };
  const protocol = createZvtProtocol({
    framing: options.framing ?? 'serial',
    settings,
    currency: options.currency ?? 'EUR',
    clock,
    log: options.log ?? silentLog,
  });
  const disk: Kit['disk'] = { results: [], writable: true };
  const refused: Kit['refused'] = [];
  const late: Kit['late'] = { results: [], adopt: false };
  const progress: string[] = [];
  const knownTraits: Kit['knownTraits'] = new Set();
  const learnt: Kit['learnt'] = [];
  const driver = protocol.attach(terminal.connection, {
    progress: (text) => progress.push(text),
    lateResult(result) {
      late.results.push(result);
      return late.adopt;
    },
    mayBeAnother: () => true,
    traits: (terminalId) => (terminalId === null ? new Set() : knownTraits),
    learned: (terminalId, trait, explanation) => learnt.push({ terminalId, trait, explanation }),
  });
  const watch: OperationWatch = {
    persistResult(result) {
      if (disk.writable) disk.results.push(result);
      return disk.writable;
    },
    resultRefused: (result) => refused.push(result),
    notInBatch: () => disk.writable,
    acknowledged() {
      kit.acknowledged += 1;
    },
    timed: (times) => (kit.times = times),
  };
  const kit: Kit = {
    clock,
    terminal,
    driver,
    disk,
    refused,
    watch,
    progress,
    late,
    knownTraits,
    learnt,
    acknowledged: 0,
    times: null,
  };
  return kit;
}

export interface StatusParts {
  code?: string | null;
  amountMinor?: number;
  trace?: string;
  receipt?: string;
  /** Trace number of the original: makes it a reversal. */
  original?: string;
  terminalId?: string;
  currency?: string;
  /** BMP 60: makes it an end of day. */
  totals?: boolean;
}

/** A 04 0F in hex. */
export function status(parts: StatusParts = {}): string {
  const code = parts.code === undefined ? '00' : parts.code;
  const bitmaps: [string, string][] = [];
  if (code !== null) bitmaps.push(['27', code]);
  bitmaps.push(['04', (parts.amountMinor ?? amountMinor).toString().padStart(12, '0')]);
  bitmaps.push(['49', parts.currency ?? '0978']);
  bitmaps.push(['0b', parts.trace ?? '000471']);
  if (parts.original !== undefined) bitmaps.push(['37', parts.original]);
  bitmaps.push(['29', parts.terminalId ?? terminalId]);
  bitmaps.push(['0c', '223953'], ['0d', '1006']);
  if (parts.totals !== true) bitmaps.push(['87', parts.receipt ?? '0471']);
  else bitmaps.push(['60', `0470047101000000001200${'00000000000000'.repeat(6)}`]);
  return hex(encodeMessage({ ctrl: '040f', bitmaps }));
}

/** The record that the terminal shows before each test. */
export const baseline = status({ trace: '000470', receipt: '0470', amountMinor: 2040 });
export const registered = '060f0a19002928004869490978';
export const idle = '060f0100';

/** Plays a terminal that is there, idle and shows `lastRecord`. */
export async function playReady(
  terminal: ScriptedTerminal,
  lastRecord: string | null = baseline,
): Promise<void> {
  await terminal.serve('0600', registered);
  await playProbe(terminal, lastRecord);
}

export async function playProbe(
  terminal: ScriptedTerminal,
  lastRecord: string | null = baseline,
): Promise<void> {
  await terminal.serve('0501', idle);
  await terminal.serve('0620', ...(lastRecord === null ? [] : [lastRecord]), completion);
  await settle();
}

/** A driver that is ready for a payment. */
export async function createReadyKit(options: Parameters<typeof createKit>[0] = {}): Promise<Kit> {
  const kit = createKit(options);
  const readiness: Promise<Readiness> = kit.driver.prepare();
  await playReady(kit.terminal);
  const answer = await readiness;
  if (answer.kind !== 'ready') throw new Error(`the terminal is ${answer.kind}`);
  await kit.terminal.heard();
  return kit;
}

export function startSale(kit: Kit) {
  return kit.driver.sale({ amountMinor, maxAmountMinor: amountMinor, currency: 'EUR' }, kit.watch);
}

export const voidOrder = {
  amountMinor,
  currency: 'EUR',
  receiptNumber: '0471',
  traceNumber: '000471',
  terminalId: null,
} as const;

export function startVoid(kit: Kit) {
  return kit.driver.void(voidOrder, kit.watch);
}

export function startBatch(kit: Kit) {
  return kit.driver.closeBatch({ currency: 'EUR', terminalId: null }, kit.watch);
}

/** What a promise has come to by now, without waiting. */
export async function stateOf<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await settle();
  return Promise.race([promise, Promise.resolve('pending' as const)]);
}

/**
 * Time passes while the terminal is at work: asked for its state, it says so. Gives what else it heard, without
 * acknowledgements.
 */
export async function atWork({ clock, terminal }: Kit, ms: number): Promise<string[]> {
  const until = clock.elapsed() + ms;
  const others: string[] = [];
  for (;;) {
    for (const heard of await terminal.heard()) {
      if (heard.startsWith('0501')) terminal.send('848300');
      else if (heard !== 'ack') others.push(heard);
    }
    const leftMs = until - clock.elapsed();
    if (leftMs <= 0) return others;
    await clock.advance(Math.min(1_000, leftMs));
  }
}
