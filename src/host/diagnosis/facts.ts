/** What is known when somebody asks why it does not work, gathered from the bridge and from the computer around it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { journalFiles, JournalWriteError } from '../../bridge/journal/index.ts';
import type { RecentCall } from '../../bridge/listener/index.ts';
import { listTokens } from '../../bridge/listener/index.ts';
import { findUsbPort, parseUsbPath, portOfDevice, type SerialPortInfo } from '../../bridge/lines/index.ts';
import { stateOfTerminal, type ConsoleState } from '../../contract/console/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import type { LastRecord } from '../../contract/terminal.ts';
import { terminalAddressSchema, type TerminalAddress } from '../../contract/terminal-address.ts';
import { terminalsOf, type MethodContext } from '../methods/context.ts';
import type { OfficeStatus } from '../office/index.ts';
import { deviceMemory } from '../methods/serial-ports-of.ts';
import { namedTerminals } from '../settings/named-terminals.ts';
import type { Computer, DeviceGroup, Holder } from './computer.ts';
import { inTime } from './in-time.ts';
import { tillbridgeOn } from './port-taken.ts';

/** Null in any of them: it could not be told in time, or at all. */
export interface Facts {
  nowMs: number;
  platform: NodeJS.Platform;
  userName: string;
  state: ConsoleState;
  settingsWarnings: string[];
  dataDir: string;
  /** The terminal of the settings; null: none is chosen. */
  address: TerminalAddress | null;
  /** Only where the terminal is on a cable. */
  serial: SerialFacts | null;
  /** Who has the listener's port, where that is taken. */
  listenerPortHolder: Holder | null;
  /** A Tillbridge that has the listener's port, and whose it is; null: none has. `user` is null where nobody tells. */
  listenerPortTillbridge: { user: string | null } | null;
  calls: RecentCall[];
  tokens: { count: number } | { damaged: string };
  /** The journal that is open: what it takes on the disk, how many events it has, and when it was opened and looked at. */
  journalFile: { bytes: number; events: number; checkedMs: number } | null;
  lastRecord: LastRecord | null;
  /** The terminal's clock (digits, MMDD and hhmmss) in the result of a payment, and when that was under way. */
  terminalClock: { date: string; time: string; fromMs: number; untilMs: number } | null;
  freeBytes: number | null;
  mayWriteData: boolean | null;
  /** What the head office has; null also where there is none. */
  office: OfficeStatus | null;
}

export interface SerialFacts {
  /** As the settings have it. */
  path: string;
  /** The device that it stands for now; null: there is none. */
  device: string | null;
  /** As `PortOfDevice` has it: at the port of the settings, at another one, or a person has to say. */
  place: 'here' | 'moved' | 'unsure';
  /** What the device calls itself. */
  name: string | null;
  /** The other ports there are. Null: the system does not tell. */
  others: string[] | null;
  mayOpen: boolean | null;
  group: DeviceGroup | null;
  holder: Holder | null;
  /** A service of the computer that takes serial ports for itself. */
  service: string | null;
}

/** `terminal` is the name of the one that is asked about. */
export async function gatherFacts(
  context: MethodContext,
  computer: Computer,
  terminal: string,
): Promise<Facts> {
  const { clock, dataDir } = context;
  const state = stateOfTerminal(context.state(), terminal);
  const address = addressOf(context, terminal);
  const look = <T>(work: Promise<T>) => inTime(clock, work);
  const { listener } = state;
  const portTaken = listener.kind === 'failed' && listener.code === 'port_in_use';
  const [serial, listenerPortHolder, listenerPortTillbridge, freeBytes, mayWriteData] = await Promise.all([
    address?.kind === 'serial' ? serialFacts(address.path, context, terminal, state, computer, look) : null,
    portTaken && computer.platform === 'linux' ? look(computer.holderOfTcpPort(listener.port)) : null,
    portTaken ? tillbridgeOn(listener.port, computer, clock) : null,
    look(computer.freeBytes(dataDir)),
    look(computer.mayWrite(dataDir)),
  ]);
  const tokens = listTokens(path.join(dataDir, 'tokens.json'));
  return {
    nowMs: clock.now(),
    platform: computer.platform,
    userName: computer.userName,
    state,
    settingsWarnings: context.settingsView().warnings,
    dataDir,
    address,
    serial,
    listenerPortHolder,
    listenerPortTillbridge,
    calls: context.supervisor.running?.bridge.listener.recentCalls() ?? [],
    tokens: tokens.ok ? { count: tokens.tokens.length } : { damaged: tokens.message },
    journalFile: await look(journalFile(context, terminal)),
    ...fromJournal(context, terminal, state),
    freeBytes,
    mayWriteData,
    office: context.officeStatus(),
  };
}

function addressOf({ settings }: MethodContext, terminal: string): TerminalAddress | null {
  const { configuration, terminal: ofMain } = settings.inForce();
  if (terminal === mainTerminal) return terminalAddressSchema.safeParse(ofMain).data ?? null;
  const named = namedTerminals(configuration);
  const own = named.ok ? named.terminals.find(({ name }) => name === terminal) : undefined;
  return own?.configuration.terminal ?? null;
}

/** As the running bridge has it. */
function runningTerminal({ supervisor: { running } }: MethodContext, terminal: string) {
  if (running === null) return null;
  return terminalsOf(running).find(({ name }) => name === terminal) ?? null;
}

type Look = <T>(work: Promise<T>) => Promise<T | null>;

async function serialFacts(
  wanted: string,
  context: MethodContext,
  terminal: string,
  state: ConsoleState,
  computer: Computer,
  look: Look,
): Promise<SerialFacts> {
  const ports = await look(computer.serialPorts());
  const remembered = deviceMemory(context, terminal).recall(wanted);
  const place = portOfDevice(wanted, ports === null ? null : remembered, ports ?? []);
  const found = deviceOf(place.kind === 'moved' ? place.path : wanted, ports ?? [], computer);
  const nothing = { mayOpen: null, group: null, holder: null, service: null };
  const others = ports?.map((port) => port.path).filter((port) => port !== found?.path) ?? null;
  const known = {
    path: wanted,
    device: found?.path ?? null,
    place: place.kind,
    name: found?.name ?? null,
    others,
  };
  // What our own line holds needs no look. Windows has no files for its ports.
  const isOpen =
    state.terminal !== null && !['lost', 'connecting', 'stopped'].includes(state.terminal.connection);
  if (isOpen || computer.platform === 'win32') return { ...known, ...nothing };
  const service = computer.platform === 'linux' ? await look(computer.portTakingService()) : null;
  if (found === null) return { ...known, ...nothing, service };
  const [mayOpen, group, holder] = await Promise.all([
    look(computer.mayOpen(found.path)),
    look(computer.groupOf(found.path)),
    computer.platform === 'linux' ? look(computer.holderOf(found.path)) : null,
  ]);
  return { ...known, mayOpen, group, holder, service };
}

function deviceOf(
  wanted: string,
  ports: readonly SerialPortInfo[],
  computer: Computer,
): { path: string; name: string | null } | null {
  const usb = parseUsbPath(wanted);
  if (usb !== null) {
    const found = findUsbPort(usb, ports);
    return found.ok ? found.port : null;
  }
  const listed = ports.find((port) => port.path.toLowerCase() === wanted.toLowerCase());
  if (listed !== undefined) return listed;
  // A link to a device, a pseudo-terminal.
  return computer.platform !== 'win32' && computer.exists(wanted) ? { path: wanted, name: null } : null;
}

/** What was written since the last checkpoint is in a file of its own. */
async function journalFile(context: MethodContext, terminal: string): Promise<Facts['journalFile']> {
  const { running } = context.supervisor;
  const own = runningTerminal(context, terminal);
  const journal = own?.journal ?? null;
  if (running === null || own === null || journal === null) return null;
  const events = journal.lastSeq();
  const { main } = journalFiles(own.folder);
  const sizes = await Promise.all(
    [main, `${main}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), events, checkedMs: running.startedMs };
}

/** A journal that cannot be read is told by its own check. */
function fromJournal(
  context: MethodContext,
  terminalName: string,
  state: ConsoleState,
): Pick<Facts, 'lastRecord' | 'terminalClock'> {
  const journal = runningTerminal(context, terminalName)?.journal ?? null;
  if (journal === null) return { lastRecord: null, terminalClock: null };
  try {
    const last = state.lastPayment === null ? null : journal.payment(state.lastPayment.transactionId);
    const { terminalDate = null, terminalTime = null } = last?.result ?? {};
    const { terminal, ...seen } = journal.terminalState();
    // Before the first terminal there is nothing that one could fail to show.
    const lastRecord = terminal === null ? null : seen.lastRecord;
    if (last === null || terminalDate === null || terminalTime === null)
      return { lastRecord, terminalClock: null };
    const [fromMs, untilMs] = [Date.parse(last.createdAt), Date.parse(last.completedAt ?? last.updatedAt)];
    return { lastRecord, terminalClock: { date: terminalDate, time: terminalTime, fromMs, untilMs } };
  } catch (error) {
    if (error instanceof JournalWriteError) return { lastRecord: null, terminalClock: null };
    throw error;
  }
}
