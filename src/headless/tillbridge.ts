/** The command line's entry: `node src/headless/tillbridge.ts`, and bundled, `dist/tillbridge.js`. */
import { runTillbridge } from './program.ts';
import { createCliContext } from './cli-context.ts';

process.exitCode = await runTillbridge(process.argv.slice(2), createCliContext());
