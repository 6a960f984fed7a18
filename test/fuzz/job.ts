/** A process of its own that plays chunks as it is told, and tells of each. */
import { playChunk } from './play.ts';
import type { FuzzSession } from './target.ts';
import { targets } from './targets/index.ts';

export interface ChunkOrder {
  target: string;
  seed: number;
  chunk: number;
  tries: number;
}

export interface ChunkReport {
  tries: number;
  outcomes: [string, number][];
  findings: { input: string; error: string }[];
  /** Each outcome's first input, in base64. */
  firsts: [string, string][];
  /** What is in use once the garbage is gone, in bytes. */
  heapBytes: number;
}

const sessions = new Map<string, FuzzSession>();

/** What nobody waits for breaks the rule, too: it would end the bridge. */
const loose: string[] = [];
process.on('unhandledRejection', (error) => loose.push(`unhandled rejection: ${describe(error)}`));
process.on('uncaughtException', (error) => loose.push(`uncaught exception: ${describe(error)}`));

process.on('message', (order: ChunkOrder | null) => {
  work(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

async function work(order: ChunkOrder | null): Promise<void> {
  if (order === null) {
    for (const session of sessions.values()) await session.close();
    process.disconnect();
    return;
  }
  const target = targets.find(({ name }) => name === order.target);
  if (target === undefined) throw new Error(`No target ${order.target}.`);
  const session = sessions.get(target.name) ?? (await target.open());
  sessions.set(target.name, session);
  const { tries, outcomes, findings, firsts } = await playChunk(target, session, order);
  globalThis.gc?.();
  const base64 = (input: Uint8Array) => Buffer.from(input).toString('base64');
  const report: ChunkReport = {
    tries,
    outcomes: [...outcomes],
    findings: [
      ...findings.map(({ input, error }) => ({ input: base64(input), error })),
      ...loose.splice(0).map((error) => ({ input: '', error })),
    ],
    firsts: [...firsts].map(([outcome, input]) => [outcome, base64(input)]),
    heapBytes: process.memoryUsage().heapUsed,
  };
  process.send?.(report);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
