/** The command line's entry: `node src/headless/tillbridge.ts`, and bundled, `dist/tillbridge.js`. */
import { runTillbridge } from './program.ts';
import { createWorld } from './world.ts';

/** A command that is done and has said all ends the process, whatever a device or a socket still holds open. */
const lingerMs = 2_000;

process.exitCode = await runTillbridge(process.argv.slice(2), createWorld());
setTimeout(() => {
  if (process.stdout.writableLength === 0) process.exit();
}, lingerMs).unref();
