/** A serial cable without hardware: two pseudo-terminals joined by a socat of its own. Needs socat; see needs.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PtyPair {
  /** Paths of the two ends. */
  a: string;
  b: string;
  /** Pulls the cable: both ends vanish. May be called twice. */
  close(): Promise<void>;
}

const startTimeoutMs = 10_000;

/** With `at`, the two ends are links at these paths, so that a pair can be plugged in again under the same names. */
export async function openPtyPair(at?: { a: string; b: string }): Promise<PtyPair> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-pty-'));
  const { a, b } = at ?? { a: join(folder, 'a'), b: join(folder, 'b') };
  const socat = spawn('socat', ['-d', '-d', `pty,raw,echo=0,link=${a}`, `pty,raw,echo=0,link=${b}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(socat, 'exit');
  const kill = () => void socat.kill('SIGKILL');
  const close = async () => {
    process.off('exit', kill);
    kill();
    await ended;
    rmSync(a, { force: true });
    rmSync(b, { force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  // A test that is cut off must not leave a process behind.
  process.once('exit', kill);
  let said = '';
  const started = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`socat did not start: ${said}`)), startTimeoutMs);
    socat.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      if (!said.includes('starting data transfer loop')) return;
      clearTimeout(timer);
      resolve();
    });
    socat.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`socat ended: ${said}`));
    });
  });
  try {
    await started;
  } catch (error) {
    await close();
    throw error;
  }
  return { a, b, close };
}
