/** The command line's entry: `node src/headless/tillbridge.ts`, and bundled, `dist/tillbridge.js`. */
import { freeCompilersMemory } from '../base/process-memory.ts';
import { useCompileCache } from './compile-cache.ts';

// Before anything large is loaded.
freeCompilersMemory();
useCompileCache();
const { runTillbridge } = await import('./program.ts');
const { createCliContext } = await import('./cli-context.ts');
process.exitCode = await runTillbridge(process.argv.slice(2), createCliContext());
