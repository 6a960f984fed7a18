/**
 * The modules and what each may import: the table of the architecture, as data. A module is a folder or one
 * file; `*` stands for one folder name. The longest path that fits a file is its module.
 *
 *     base, contract ◄── everybody
 *     bridge/listener ─► bridge/payments ─► bridge/journal
 *                                       └─► terminals/terminal-driver.ts ◄─ terminals/<protocol> ─► lines/line.ts
 *     bridge/bridge.ts puts the bridge together; headless and main run it; bridge knows neither of them nor the simulator
 */
export interface Module {
  /** From the repository's root; a folder ends with a slash. */
  path: string;
  job: string;
  /** Modules, or files and folders inside a module, that its files may import. Its own files always. */
  ours: string[];
  /** Packages of package.json. */
  packages: string[];
  /** Node's own modules, without `node:`. */
  node: string[];
}

const base = 'src/base/';
const contract = 'src/contract/';
const log = 'src/log/';
const locks = 'src/bridge/locks/';
const journal = 'src/bridge/journal/';
const payments = 'src/bridge/payments/';
const lines = 'src/bridge/lines/';
const bridge = 'src/bridge/';
const simulator = 'src/simulator/';
const http = 'src/http/';
const remote = 'src/remote/';
const host = 'src/host/';
/** The two interfaces that stand between payments, the protocols and the lines; types only. */
const driverInterface = 'src/bridge/terminals/terminal-driver.ts';
const lineInterface = 'src/bridge/lines/line.ts';

/** The folder of a protocol that turns bytes into meaning and back; both sides of a line need it. */
const wire = 'src/bridge/terminals/*/wire/';
/** All that others see of it. */
const wireEntry = `${wire}index.ts`;

export const modules: Module[] = [
  {
    path: base,
    job: 'small things with no business: clock, chance, printable text, private and atomic files',
    ours: [],
    packages: ['uuid'],
    node: ['fs', 'path'],
  },
  {
    path: contract,
    job: 'what crosses a boundary: schemas, their types, money, error codes, configuration',
    ours: [base],
    packages: ['zod'],
    node: [],
  },
  {
    path: http,
    job: 'what our HTTP servers share: addresses, host names, bounds, who gives way, lines that nobody can flood',
    ours: [base, contract, log],
    packages: [],
    node: ['http', 'net'],
  },
  {
    path: 'src/bridge/listener/',
    job: 'HTTP in, HTTP out',
    ours: [base, contract, http, payments, log],
    packages: ['express', 'prom-client', 'zod', 'zod-openapi'],
    node: ['crypto', 'events', 'fs', 'http', 'net', 'path', 'stream', 'timers/promises'],
  },
  {
    path: payments,
    job: 'decides: the pure machine, the engine that carries it out, recovery, batch',
    // lines/line.ts for the type of a connection, which terminal-driver.ts hands on.
    ours: [base, contract, journal, log, driverInterface, lineInterface],
    packages: ['uuid'],
    node: ['crypto'],
  },
  {
    path: journal,
    job: 'durable facts: append, project, query, verify',
    ours: [base, contract, log, locks],
    packages: ['zod'],
    node: ['crypto', 'fs', 'path', 'sqlite'],
  },
  {
    path: driverInterface,
    job: 'what payments knows of a terminal',
    ours: [base, contract, lineInterface],
    packages: [],
    node: [],
  },
  {
    path: 'src/bridge/terminals/*/',
    job: 'one protocol: session, exchanges, driver, what its records prove',
    ours: [base, contract, log, driverInterface, lineInterface, wireEntry],
    packages: [],
    node: [],
  },
  {
    path: wire,
    job: 'one protocol: bytes to frames to meaning, and back',
    ours: [base, contract, log],
    packages: ['iconv-lite'],
    node: [],
  },
  { path: lineInterface, job: 'what a protocol knows of a line', ours: [], packages: [], node: [] },
  {
    path: lines,
    job: 'moves bytes: serial, tcp, memory; lists ports',
    ours: [base, contract, log, locks, lineInterface],
    packages: ['serialport'],
    node: ['crypto', 'dns/promises', 'events', 'fs', 'net', 'os', 'path', 'tty'],
  },
  {
    path: log,
    job: 'structured log, wire trace, masking at the moment of writing',
    ours: [base, contract],
    packages: ['pino'],
    node: ['fs', 'os', 'path', 'sqlite', 'stream', 'util'],
  },
  {
    path: locks,
    job: 'locks between processes that die with their holder',
    ours: [base, contract],
    packages: ['zod'],
    node: ['crypto', 'fs', 'net', 'path', 'sqlite', 'url'],
  },
  {
    path: 'src/bridge/bridge.ts',
    job: 'the one place that puts the parts together',
    ours: [base, contract, log, bridge],
    packages: [],
    node: ['crypto', 'fs', 'path'],
  },
  {
    path: simulator,
    job: 'a terminal at the other end of a line, with its own memory of what it charged',
    // Not the session, nor the driver: those are the other side.
    ours: [base, contract, log, lines, wireEntry],
    packages: ['zod', 'serialport', 'iconv-lite', '@lydell/node-pty'],
    node: ['crypto', 'fs', 'net', 'path'],
  },
  {
    path: host,
    job: 'runs the bridge as its settings say, starts it again when they change, answers the console',
    ours: [base, contract, log, bridge, simulator],
    packages: ['env-paths', 'fflate', 'zod'],
    node: [
      'crypto',
      'events',
      'fs',
      'fs/promises',
      'net',
      'os',
      'path',
      'stream',
      'timers/promises',
      'url',
      'util',
    ],
  },
  {
    path: 'src/headless/',
    job: 'the bridge without Electron, and the command line',
    ours: [base, contract, log, http, bridge, simulator, host, remote, 'package.json'],
    packages: ['commander', 'express'],
    node: ['crypto', 'fs', 'http', 'net', 'os', 'path', 'process', 'readline', 'stream', 'url', 'util'],
  },
  {
    path: 'src/main/',
    job: 'Electron: window, tray, single instance, settings, IPC',
    ours: [base, contract, log, bridge, simulator, host, remote, 'package.json'],
    packages: ['electron', 'zod'],
    node: ['crypto', 'fs', 'fs/promises', 'os', 'path', 'stream', 'stream/promises', 'url'],
  },
  {
    path: 'src/preload/',
    job: 'the sandboxed door between window and main',
    ours: [base, contract],
    packages: ['electron'],
    node: [],
  },
  {
    path: 'src/renderer/',
    job: 'the console that cashier and support see',
    ours: [base, contract],
    packages: [
      '@fontsource-variable/inter',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'i18next',
      'lucide-react',
      'react',
      'react-dom',
      'react-i18next',
      'uplot',
      'zod',
    ],
    node: [],
  },
  {
    path: remote,
    job: 'the remote treasury and compliance interface',
    ours: [base, contract, http, log],
    packages: ['zod', 'express', 'zod-openapi'],
    node: ['crypto', 'fs', 'http', 'net', 'path', 'sqlite'],
  },
];
