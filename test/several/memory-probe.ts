/**
 * Loaded into a bridge that is watched (`--import`): every ten seconds it collects what V8 would let lie for minutes, and adds
 * a line to the file that MEMORY_FILE names: what is in use, and what the process holds, in bytes.
 */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyMs = 10_000;
const file = process.env['MEMORY_FILE'] ?? '';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

setInterval(() => {
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const sample = { atMs: process.uptime() * 1_000, inUse: heapUsed + external, resident: rss };
  appendFileSync(file, `${JSON.stringify(sample)}\n`);
}, everyMs).unref();
