/**
 * A lock for the whole machine, whoever's process asks: a name of the system that one process at a time can listen on.
 * The system takes the name back when its holder dies, however it dies, and nobody can take it from a living one. The
 * holder answers who connects to the name with who it is.
 *
 *     Linux      an abstract socket   @tillbridge-line-<digest>                       no file; one per network namespace
 *     Windows    a named pipe         \\.\pipe\tillbridge-line-<digest>               no file
 *     elsewhere  a socket for each    /private/tmp/tillbridge-line-<digest>-<pid>-0   the sticky bit keeps others off
 *
 * Any user can take a name first and so keep a bridge from its terminal; that is told. No user can bring two bridges to
 * one terminal. docs/adr/0020 weighs the two.
 */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { printableLine } from '../../base/printable-text.ts';
import { UnsafeFileError } from '../../base/private-files.ts';
import type { Clock } from '../../base/clock.ts';

/** Who has a lock, as the holder itself says: any program can say anything. */
export interface LockHolder {
  processId: number;
  /** Where its journal is. */
  dataFolder: string;
}

export type MachineLock =
  | { kind: 'held'; /** May be called twice. */ release(): void }
  /** `holder` is null when it does not say who it is. */
  | { kind: 'taken'; holder: LockHolder | null };

/** Where locks are: names that the system keeps, or sockets in a folder that all users share. */
export type LockPlace = { kind: 'names'; prefix: string } | { kind: 'folder'; folder: string };

export interface MachineLockOptions {
  place: LockPlace;
  /** The folder that is told to who finds the lock taken. */
  dataFolder: string;
  clock: Clock;
}

const lockName = 'tillbridge-line';
/** How long a holder may take to say who it is. */
const answerTimeoutMs = 2_000;
const maxAnswerBytes = 4_096;
/** A holder can die between the refusal and the question who it is. */
const attempts = 3;
/** Sockets of one process in a folder that may be left over from an earlier one with its number. */
const maxLeftOver = 100;
const stickyBit = 0o1000;
const othersWrite = 0o002;

const answerSchema = z.object({ processId: z.number().int().positive(), dataFolder: z.string().min(1) });

/** The place that every bridge on the machine uses. */
export function machineLockPlace(platform: NodeJS.Platform = process.platform): LockPlace {
  if (platform === 'linux') return { kind: 'names', prefix: '\0' };
  if (platform === 'win32') return { kind: 'names', prefix: '\\\\.\\pipe\\' };
  // Not os.tmpdir(), which is another one for each user. No link, and nobody's but the system's.
  return { kind: 'folder', folder: platform === 'darwin' ? '/private/tmp' : '/tmp' };
}

/**
 * Takes the lock called `name`, or says who has it. It does not keep the process from ending. Rejects when the system
 * refuses for another reason than a holder, and with `UnsafeFileError` where other users could take a lock away.
 */
export async function acquireMachineLock(name: string, options: MachineLockOptions): Promise<MachineLock> {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const { place } = options;
  return place.kind === 'names'
    ? byName(`${place.prefix}${lockName}-${digest}`, options)
    : inFolder(place.folder, `${lockName}-${digest}-`, options);
}

async function byName(address: string, options: MachineLockOptions): Promise<MachineLock> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const server = await listen(address, options.dataFolder);
    if (server !== null) return held(() => server.close());
    const answer = await whoHolds(address, options.clock);
    if (answer.kind === 'somebody') return { kind: 'taken', holder: answer.holder };
  }
  return { kind: 'taken', holder: null };
}

/**
 * Each contender makes a socket of its own, which only it can remove, and then looks for those of others: of two at the
 * same time both may see the other and give up, but never neither.
 */
async function inFolder(folder: string, prefix: string, options: MachineLockOptions): Promise<MachineLock> {
  demandKeptFolder(folder);
  const own = await listenInFolder(folder, prefix, options.dataFolder);
  const release = () => void own.server.close();
  try {
    // The umask took from everybody else what they need to ask who holds it.
    chmodSync(join(folder, own.name), 0o666);
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix) || name === own.name) continue;
      const answer = await whoHolds(join(folder, name), options.clock);
      if (answer.kind === 'nobody' && !isAlive(name)) {
        rmLeftOver(join(folder, name));
        continue;
      }
      release();
      return { kind: 'taken', holder: answer.kind === 'somebody' ? answer.holder : null };
    }
    return held(release);
  } catch (error) {
    release();
    throw error;
  }
}

async function listenInFolder(folder: string, prefix: string, dataFolder: string) {
  for (let number = 0; number < maxLeftOver; number += 1) {
    const name = `${prefix}${process.pid}-${number}`;
    const server = await listen(join(folder, name), dataFolder);
    if (server !== null) return { name, server };
  }
  throw new UnsafeFileError(`There are too many sockets ${prefix}${process.pid} in ${folder}.`);
}

/** In a folder where others may write, they must not be able to remove what is not theirs. */
function demandKeptFolder(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & othersWrite) === 0 || (mode & stickyBit) !== 0) return;
  throw new UnsafeFileError(
    `In ${folder} every user can remove the locks of others (its sticky bit is missing).`,
  );
}

/** The number of the process is in the name. One that cannot be asked just now is alive all the same. */
function isAlive(name: string): boolean {
  const [, processId] = /-(\d+)-\d+$/.exec(name) ?? [];
  if (processId === undefined) return false;
  try {
    process.kill(Number(processId), 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function rmLeftOver(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another user's. It hinders nobody.
  }
}

function held(release: () => unknown): MachineLock {
  let isHeld = true;
  return {
    kind: 'held',
    release() {
      if (isHeld) release();
      isHeld = false;
    },
  };
}

/** Null when somebody else has the name. */
function listen(address: string, dataFolder: string): Promise<Server | null> {
  const who = JSON.stringify({ processId: process.pid, dataFolder } satisfies LockHolder);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // Gone as soon as it is said: who asks cannot hold connections of ours.
    socket.end(who, () => socket.destroy());
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () => {
      server.removeAllListeners('error');
      // Such as too many open files while somebody asks: the name is held all the same.
      server.on('error', () => {});
      resolve(server);
    });
  });
}

type Answer = { kind: 'somebody'; holder: LockHolder | null } | { kind: 'nobody' };

function whoHolds(address: string, clock: Clock): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (answer: Answer) => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    const cancel = clock.after(answerTimeoutMs, () => finish({ kind: 'somebody', holder: null }));
    socket.on('data', (bytes: Buffer) => {
      pieces.push(bytes);
      length += bytes.length;
      if (length > maxAnswerBytes) finish({ kind: 'somebody', holder: null });
    });
    socket.on('end', () => finish({ kind: 'somebody', holder: holderIn(Buffer.concat(pieces)) }));
    socket.on('error', (error) => {
      const code = 'code' in error ? error.code : null;
      const isNobody = code === 'ECONNREFUSED' || code === 'ENOENT';
      finish(isNobody ? { kind: 'nobody' } : { kind: 'somebody', holder: null });
    });
  });
}

/** From another program, perhaps another user's: nothing of it is taken as it is. */
function holderIn(bytes: Buffer): LockHolder | null {
  try {
    const { processId, dataFolder } = answerSchema.parse(JSON.parse(bytes.toString('utf8')));
    return { processId, dataFolder: printableLine(dataFolder) };
  } catch {
    return null;
  }
}
