/** What a process has used, as the system counts it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, in which Linux tells processor time to programs; the same everywhere. */
const ticksPerSecond = 100;

/** Processor time of the whole process so far, in milliseconds; null where the system does not tell. */
export function processorMs(processId: number): number | null {
  if (process.platform !== 'linux') return null;
  return scheduledMs(processId) ?? tickedMs(processId);
}

/** To the nanosecond, of each thread that lives; a Node process keeps its threads. Null: this kernel does not count it. */
function scheduledMs(processId: number): number | null {
  const threads = `/proc/${processId}/task`;
  try {
    const nanoseconds = readdirSync(threads).map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return null;
  }
}

/** To the hundredth of a second. */
function tickedMs(processId: number): number {
  // proc_pid_stat(5): fields 14 and 15 are user and system time; the name in field 2 may hold blanks.
  const [, afterName = ''] = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ');
  const fields = afterName.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

/** Resident memory in MB (10⁶ bytes); null where the system does not tell. */
export function residentMb(processId: number): number | null {
  if (process.platform === 'win32') return null;
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', processId.toString()], { encoding: 'utf8' }).trim();
  return kibibytes === undefined ? null : (Number(kibibytes) * 1_024) / 1e6;
}

/** The most resident memory that the process has had so far, in MB (10⁶ bytes); null where the system does not tell. */
export function peakResidentMb(processId: number): number | null {
  if (process.platform !== 'linux') return null;
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
  return kibibytes === undefined ? null : (Number(kibibytes) * 1_024) / 1e6;
}
