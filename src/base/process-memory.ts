/** What this process holds of the computer's memory, and how to make V8 hold less of it. */
import { setFlagsFromString } from 'node:v8';

export interface ProcessMemory {
  /** Resident, in bytes. */
  residentBytes(): number;
  /** Processor time that this process has used since its start, with all its threads. */
  processorMs(): number;
  /**
   * Collects all garbage and gives the memory back to the system. The process stands still meanwhile, for tens of
   * milliseconds. Rejects where Node was built without its inspector.
   */
  collect(): Promise<void>;
}

export const systemMemory: ProcessMemory = {
  residentBytes: () => process.memoryUsage.rss(),
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  async collect() {
    // The one documented way: `global.gc` would need a flag, and code compiled with another flag is not taken from the cache.
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    try {
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
  },
};

/**
 * What V8's second compiler (Maglev) needed for a function is freed where it was made. Freed in another thread, 17 MB of it
 * stay with the C library after 1,200 payments. Has to come before anything is taken from the compile cache. V8 of Node 24
 * has this flag; another one might not know it, and would say so on standard error.
 */
export function freeCompilersMemory(): void {
  if (process.versions.v8.startsWith('13.6.')) setFlagsFromString('--no-maglev-destroy-on-background');
}
