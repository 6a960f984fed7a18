/** What the computer tells of the terminal's port, of who holds a port, and of its disk. Looks only, and within bounds. */
import { existsSync } from 'node:fs';
import { access, constants, readdir, readFile, readlink, realpath, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { listSerialPorts, type SerialPortInfo } from '../../bridge/lines/index.ts';
import { userOfPortOnMac, userOfPortOnWindows } from './port-user.ts';

const { get } = process.getBuiltinModule('node:http');

/** A program that has something open. */
export interface Holder {
  program: string;
  processId: number;
}

/** What may be asked of the computer; a test brings its own. */
export interface Computer {
  readonly platform: NodeJS.Platform;
  readonly userName: string;
  /** Rejects when the system does not tell. */
  serialPorts(): Promise<SerialPortInfo[]>;
  exists(file: string): boolean;
  mayOpen(file: string): Promise<boolean>;
  mayWrite(folder: string): Promise<boolean>;
  /** The group that a device belongs to, and whether this user is in it; null where that cannot be told. */
  groupOf(file: string): Promise<DeviceGroup | null>;
  /** Another process that has the file open; null: none that this user may see. Linux only. */
  holderOf(file: string): Promise<Holder | null>;
  /** The process that listens on a TCP port; null: none that this user may see. Linux only. */
  holderOfTcpPort(port: number): Promise<Holder | null>;
  /** The user whose process listens on a TCP port, this one's or another's; null: nobody, or not told. */
  userOfTcpPort(port: number): Promise<string | null>;
  /** Whether a Tillbridge answers on this port of the computer. */
  isTillbridge(port: number): Promise<boolean>;
  /** A service that runs and is known to take serial ports for itself; null: none. Linux only. */
  portTakingService(): Promise<string | null>;
  /** Bytes that this user may still write on the disk of the folder. */
  freeBytes(folder: string): Promise<number>;
}

export interface DeviceGroup {
  name: string;
  /** The system's list has the user in it. */
  isMember: boolean;
  /** This process has it; a new member has it only after the next sign-in. */
  isInForce: boolean;
}

/** So many processes, and so many open files of each, are looked at. */
const maxProcesses = 4_000;
const maxFilesOfProcess = 1_000;
/** Both open serial ports by themselves when one is plugged in; build/linux/99-tillbridge.rules keeps them away. */
const portTakingServices: ReadonlySet<string> = new Set(['ModemManager', 'brltty']);
const maxHealthCharacters = 16_384;
const healthTimeoutMs = 2_000;
/** `st` of /proc/net/tcp: the socket listens. */
const listening = '0A';

export function thisComputer(): Computer {
  return {
    platform: process.platform,
    userName: userName(),
    serialPorts: listSerialPorts,
    exists: existsSync,
    mayOpen: (file) => may(file, constants.R_OK | constants.W_OK),
    mayWrite: (folder) => may(folder, constants.W_OK),
    groupOf,
    async holderOf(file) {
      const real = await realpath(file);
      return findHolder((target) => target === real);
    },
    async holderOfTcpPort(port) {
      const listeners = await listenersOn(port);
      const sockets = new Set(listeners.map(({ inode }) => `socket:[${inode}]`));
      return sockets.size === 0 ? null : findHolder((target) => sockets.has(target));
    },
    userOfTcpPort(port) {
      if (process.platform === 'win32')
        return userOfPortOnWindows(port, process.env['SystemRoot'] ?? String.raw`C:\Windows`);
      return process.platform === 'darwin' ? userOfPortOnMac(port) : userOfPortOnLinux(port);
    },
    isTillbridge: async (port) => looksLikeHealth(await readHealth(port)),
    portTakingService,
    async freeBytes(folder) {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A user without an entry, as in some containers.
    return '$USER';
  }
}

async function may(file: string, mode: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

async function groupOf(file: string): Promise<DeviceGroup | null> {
  const { gid } = await stat(file);
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  // name:password:id:member,member
  const line = groups.split('\n').find((one) => one.split(':')[2] === String(gid));
  const [name, , , members = ''] = line?.split(':') ?? [];
  if (name === undefined || name === '') return null;
  const isInForce = process.getgroups?.().includes(gid) === true || process.getegid?.() === gid;
  return { name, isMember: members.split(',').includes(userName()), isInForce };
}

/** What listens on the port: its socket, and the number of its user. */
async function listenersOn(port: number): Promise<{ inode: string; uid: string }[]> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local, , state, , , , uid = '', , inode] = line.trim().split(/\s+/);
      const fits = local?.endsWith(`:${hexPort}`) === true && state === listening && inode !== undefined;
      return fits ? [{ inode, uid }] : [];
    }),
  );
}

async function userOfPortOnLinux(port: number): Promise<string | null> {
  const [first] = await listenersOn(port);
  if (first === undefined) return null;
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  // name:password:uid
  const line = users.split('\n').find((one) => one.split(':')[2] === first.uid);
  return line?.split(':')[0] ?? first.uid;
}

/** What a program answers to a question for its health; empty where it answers nothing of that kind. */
function readHealth(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > maxHealthCharacters) request.destroy();
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    request.setTimeout(healthTimeoutMs, () => request.destroy());
    request.on('error', reject);
  });
}

/** As `healthResponseSchema` of the listener has it; an older version may lack what is new. */
function looksLikeHealth(text: string): boolean {
  try {
    const health: unknown = JSON.parse(text);
    return (
      typeof health === 'object' &&
      health !== null &&
      ['success', 'version', 'terminal', 'journal'].every((name) => name in health)
    );
  } catch {
    return false;
  }
}

async function portTakingService(): Promise<string | null> {
  const names = await readdir('/proc').catch(() => []);
  for (const id of names.filter((name) => /^\d+$/.test(name)).slice(0, maxProcesses)) {
    const program = await programOf(id);
    if (portTakingServices.has(program)) return program;
  }
  return null;
}

/** Another process that has something open whose name in /proc fits. One after the other, so that the bridge goes on. */
async function findHolder(fits: (target: string) => boolean): Promise<Holder | null> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  for (const id of ids.slice(0, maxProcesses)) {
    const folder = `/proc/${id}/fd`;
    // Of another user, or gone meanwhile.
    const files = await readdir(folder).catch(() => []);
    for (const file of files.slice(0, maxFilesOfProcess)) {
      const target = await readlink(path.join(folder, file)).catch(() => '');
      if (target !== '' && fits(target)) return { program: await programOf(id), processId: Number(id) };
    }
  }
  return null;
}

async function programOf(processId: string): Promise<string> {
  const name = await readFile(`/proc/${processId}/comm`, 'utf8').catch(() => '');
  return name.trim() === '' ? '?' : name.trim();
}
