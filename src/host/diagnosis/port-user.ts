/**
 * Whose process listens on a TCP port, where no file of the system says so: Windows and macOS tell by programs of theirs,
 * to any user. Each is called by its full path, without a shell, and within a time.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';

/** Gives what a program prints; rejects when it cannot be run, fails or takes too long. */
export type RunProgram = (file: string, args: string[]) => Promise<string>;

const timeoutMs = 2_500;
/** A computer has some hundred sockets. */
const maxOutputBytes = 4 * 1024 * 1024;

const runProgram: RunProgram = (file, args) =>
  new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, maxBuffer: maxOutputBytes, windowsHide: true };
    execFile(file, args, options, (error, output) => {
      if (error === null) resolve(output);
      else reject(error);
    });
  });

/** Null where nobody listens, or the system does not tell whose it is. */
export async function userOfPortOnWindows(
  port: number,
  systemRoot: string,
  run: RunProgram = runProgram,
): Promise<string | null> {
  const program = (name: string) => path.win32.join(systemRoot, 'System32', name);
  const processId = listenerOnWindows(await run(program('netstat.exe'), ['-ano', '-p', 'TCP']), port);
  if (processId === null) return null;
  const filter = ['/FI', `PID eq ${processId}`, '/V', '/FO', 'CSV', '/NH'];
  const { user, session } = taskOnWindows(await run(program('tasklist.exe'), filter));
  if (user !== null || session === null) return user;
  // Another user's task has no name for who is no administrator, but its session does. Missing in some editions.
  return userOfSession(await run(program('quser.exe'), []).catch(() => ''), session);
}

/** The same on macOS. */
export async function userOfPortOnMac(port: number, run: RunProgram = runProgram): Promise<string | null> {
  const processId = listenerOnMac(await run('/usr/sbin/netstat', ['-anv', '-p', 'tcp']), port);
  if (processId === null) return null;
  return nameOrNull((await run('/bin/ps', ['-o', 'user=', '-p', String(processId)])).trim());
}

/** `  TCP    127.0.0.1:8080    0.0.0.0:0    LISTENING    4321`; the state is in the system's language. */
function listenerOnWindows(table: string, port: number): number | null {
  for (const line of table.split(/\r?\n/)) {
    const [, local, processId] =
      /^\s*TCP\s+\S+:(\d+)\s+(?:0\.0\.0\.0|\[::\]):0\s+\S+\s+(\d+)\s*$/.exec(line) ?? [];
    if (Number(local) === port) return Number(processId);
  }
  return null;
}

/** `"Tillbridge.exe","4321","Console","2","85,120 K","Running","SHOP\anna","0:00:05","Tillbridge"` */
function taskOnWindows(line: string): { user: string | null; session: number | null } {
  const fields = [...line.matchAll(/"([^"]*)"/g)].map(([, field = '']) => field);
  const [, , , session = '', , , owner = ''] = fields;
  // Without the computer's name before it, it says in the system's language that it is not told.
  const [, user = ''] = owner.split('\\');
  return { user: nameOrNull(user), session: /^\d+$/.test(session) ? Number(session) : null };
}

/** The name fills 22 columns behind a mark; the session's own name is missing in one that is not connected. */
function userOfSession(table: string, session: number): string | null {
  for (const line of table.split(/\r?\n/)) {
    const [, id] = /^\s*(?:[^\s\d]\S*\s+)?(\d+)\s/.exec(line.slice(23)) ?? [];
    if (id !== undefined && Number(id) === session) return nameOrNull(line.slice(1, 23).trim());
  }
  return null;
}

/** `tcp4 0 0 127.0.0.1.8080 *.* LISTEN …`; then, as the header says, a column `pid`, or one `process:pid`. */
function listenerOnMac(table: string, port: number): number | null {
  const lines = table.split('\n');
  const columns = lines.find((line) => line.startsWith('Proto'))?.split('(state)')[1];
  const at = columns?.trim().split(/\s+/).indexOf('pid') ?? -1;
  for (const line of lines) {
    const [, local, rest = ''] = /^tcp\S*\s+\d+\s+\d+\s+\S+\.(\d+)\s+\S+\s+LISTEN\s+(.*)$/.exec(line) ?? [];
    if (Number(local) !== port) continue;
    // Names of processes have spaces; no other column has a colon.
    const processId = /:(\d+)(?:\s|$)/.exec(rest)?.[1] ?? rest.split(/\s+/)[at];
    return processId !== undefined && /^\d+$/.test(processId) ? Number(processId) : null;
  }
  return null;
}

/** What could not be decoded (a console has a character set of its own) is no name. */
function nameOrNull(name: string): string | null {
  return name === '' || name.includes('\uFFFD') ? null : name;
}
