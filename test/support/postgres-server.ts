/** A PostgreSQL server for tests: a cluster of its own in a temporary folder, reached by a socket in it and no port. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** Where Debian has the programs of the newest PostgreSQL; null: it has none. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const [found] = versions
    .map((version) => path.join(root, version, 'bin'))
    .filter((folder) => existsSync(path.join(folder, 'initdb')));
  return found ?? null;
}

export interface PostgresServer {
  /** For `createPostgres`. */
  url: string;
  /** As the machine would at a power cut: all of its processes at once, and started again on what is on the disk. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL does not run as root; this user has no rights at all. */
const nobody = 65_534;
/** What it says once it can be asked. */
const readyLine = 'database system is ready to accept connections';

interface PostgresOptions {
  /** What is committed is on the disk, as a real one has it; without it tests are quicker. */
  synced?: boolean;
  /** A folder on a disk, where its own one is made; left out: where tests have theirs. */
  within?: string;
  /** More of PostgreSQL's settings, such as `shared_buffers`. */
  settings?: Record<string, string>;
}

export async function startPostgres(
  programs: string,
  { synced = false, within, settings: more = {} }: PostgresOptions = {},
): Promise<PostgresServer> {
  const folder = within === undefined ? tempFolder('postgres') : mkdtempSync(path.join(within, 'postgres-'));
  const asRoot = process.getuid?.() === 0;
  const user = asRoot ? { uid: nobody, gid: nobody } : {};
  if (asRoot) chownSync(folder, nobody, nobody);
  // The folder of a bench is its maker's alone, and has to be passed through.
  if (asRoot && within !== undefined) chmodSync(within, 0o711);
  const data = path.join(folder, 'data');
  const cluster = ['-D', data, '-U', 'office', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(path.join(programs, 'initdb'), cluster, { ...user, cwd: folder, stdio: 'pipe' });

  const start = async () => {
    const settings = {
      listen_addresses: '',
      unix_socket_directories: folder,
      fsync: synced ? 'on' : 'off',
      lc_messages: 'C',
      ...more,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...flags], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    // A test that is cut off must not leave a server behind.
    const kill = () => void child.kill('SIGQUIT');
    process.once('exit', kill);
    child.on('exit', () => process.off('exit', kill));
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        // What comes later is of no interest, and is read all the same: nobody waits for room in a pipe.
        if (said.includes(readyLine)) return;
        said += text;
        if (said.includes(readyLine)) resolve();
      });
      child.on('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
      child.on('error', reject);
    });
    return { child, exited };
  };
  let running = await start();
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal);
    await running.exited;
  };
  return {
    url: `postgres://office@/postgres?host=${encodeURIComponent(folder)}`,
    async restart() {
      await end('SIGQUIT');
      running = await start();
    },
    async stop() {
      // "Fast": it does not wait for whoever is connected.
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
