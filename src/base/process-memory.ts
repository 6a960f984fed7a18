/** What this process holds of the computer's memory, and how to make V8 hold less of it. */

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
