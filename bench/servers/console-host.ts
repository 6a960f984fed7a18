/**
 * A headless host with its console, as `tillbridge bridge` has one, that can be told to write into its log:
 *
 *     node console-host.ts DATA_FOLDER RENDERER_FOLDER
 *
 * Prints `Console: LINK`. A message `{ linesPerSecond }` is answered once the rate is set; `'last'` is answered with
 * the number of the newest line.
 */
import { createHost, fileSecrets } from '../../src/host/index.ts';
import { serveConsole } from '../../src/headless/console/serve-console.ts';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';

const [dataDir = '', rendererFolder = ''] = process.argv.slice(2);
const tickMs = 5;
/** What a terminal says while it waits for a card. */
const frame = {
  source: 'zvt',
  direction: 'from_terminal',
  frame: 'intermediate-status',
  ctrl: '04ff',
  length: 22,
  hex: '04:ff:13:0a:01:06:0f:24:0d:07:0b:49:6e:73:65:72:74:20:63:61:72:64',
  fields: [
    ['status', '0A: Insert card'],
    ['time limit, minutes', '01'],
    ['display', 'Insert card'],
  ],
};

const host = createHost({
  kind: 'headless',
  sources: {
    flags: { dataDir, terminal: 'simulator', pace: '0', port: '0' },
    configFile: null,
    environment: {},
    currentFolder: dataDir,
    defaultDataDir: dataDir,
  },
  defaultTerminal: null,
  secrets: fileSecrets(),
  clock: systemClock,
  chance: systemChance(systemClock),
  version: '0.0.0-bench',
  canStartWithSystem: false,
});
const started = await host.start();
if (started.kind !== 'running') throw new Error(`the host does not run: ${JSON.stringify(started)}`);
const served = await serveConsole({
  service: host.console,
  port: 0,
  rendererFolder,
  log: host.log,
  clock: systemClock,
  chance: systemChance(systemClock),
});
if (served.kind !== 'serving') throw new Error(served.message);

let stopWriting = () => {};
process.on('message', (message: 'last' | { linesPerSecond: number }) => {
  if (message === 'last') {
    void newest().then((last) => process.send?.(last));
    return;
  }
  stopWriting();
  stopWriting = write(message.linesPerSecond);
  process.send?.(message.linesPerSecond);
});
process.on('SIGTERM', () => {
  stopWriting();
  void host
    .stop()
    .then(() => served.close())
    .finally(() => process.exit());
});
console.log(`Console: ${served.makeLink()}`);

async function newest(): Promise<number> {
  const reply = await host.console.invoke('log', {
    filter: { minLevel: 'debug', sources: null, text: null },
    before: null,
    limit: 1,
  });
  if (!reply.ok) throw new Error(reply.refusal.message);
  return (reply.value as { last: number }).last;
}

/** One by one, evenly; what a late timer has missed is made up for. */
function write(perSecond: number): () => void {
  if (perSecond === 0) return () => {};
  const beginMs = performance.now();
  let written = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - beginMs) * perSecond) / 1_000;
    for (; written < due; written += 1) host.log.debug('from terminal: intermediate-status', frame);
  }, tickMs);
  return () => clearInterval(timer);
}
