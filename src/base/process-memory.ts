/** What V8 holds of the computer's memory in this process, and how to make it hold less. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

export interface ProcessMemory {
  /** V8's heap and what hangs on it, garbage and free space too, in bytes; also where the system has put it elsewhere. */
  heldBytes(): number;
  /** Processor time that this process has used since its start, with all its threads. */
  processorMs(): number;
  /**
   * Collects all garbage and gives the memory back to the system. The process stands still meanwhile, for tens of
   * milliseconds or more. Rejects where Node cannot do it (built without its inspector, or not permitted), and where a
   * debugger is attached, whose recording it would end.
   */
  collect(): Promise<void>;
}

export const systemMemory: ProcessMemory = {
  heldBytes() {
    // Not what is resident: that changes as the system likes, and Linux says it by a file, which may not be opened any more.
    const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external;
  },
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  async collect() {
    const { Session, url } = await import('node:inspector');
    if (url() !== undefined) throw new Error('A debugger may be attached.');
    const session = new Session();
    session.connect();
    try {
      await new Promise<void>((resolve, reject) => {
        session.post('HeapProfiler.collectGarbage', (error) => (error === null ? resolve() : reject(error)));
      });
    } finally {
      session.disconnect();
    }
  },
};

/**
 * Has V8's second compiler (Maglev) free what it needed for a function as soon as that is done, on the main thread. By itself it
 * leaves that to other threads, and 17 MB more stay with the C library after 1,200 payments. Measured with Node 24 on Linux, so
 * it is done there alone; another V8 may not know the flag, and would say so on standard error. Has to come before anything is
 * taken from the compile cache, which depends on V8's flags.
 */
export function freeCompilersMemory(): void {
  if (process.platform === 'linux' && process.versions.v8.startsWith('13.6.'))
    setFlagsFromString('--no-maglev-destroy-on-background');
}
