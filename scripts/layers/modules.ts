/**
 * The modules and what each may import: the table of the architecture, as data. A module is a folder or one file; `*`
 * stands for one folder name. The longest path that fits a file is its module. Others enter it by its `index.ts`.
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
  /** Why others may import any of its files; without it, they enter by its `index.ts`. */
  open?: string;
  /** What its files may import of ours: other modules by their paths, or files in none. Its own files always. */
  ours: string[];
  /** Packages of package.json. */
  packages: string[];
  /** Node's own modules, without `node:`. */
  node: string[];
  /** Whose globals it may use; Node's, when nothing is said. */
  runsIn?: 'page' | 'anywhere';
}

/** Code around the product: what it may import of ours. Packages and Node's modules as it likes; nothing of `src/` imports it. */
export interface Outside {
  path: string;
  ours: string[];
}

const base = 'src/base/';
const contract = 'src/contract/';
const log = 'src/log/';
/** What writes lines; makes none. */
const logInterface = 'src/log/log.ts';
const http = 'src/http/';
const expressApp = 'src/http/express-app.ts';
const journal = 'src/bridge/journal/';
const payments = 'src/bridge/payments/';
const listener = 'src/bridge/listener/';
const protocol = 'src/bridge/terminals/*/';
/** What both sides of a line need of a protocol: the driver, and the simulator. */
const wire = 'src/bridge/terminals/*/wire/';
/** What the wires of all protocols have in common. */
const framing = 'src/bridge/terminals/framing/';
const capture = 'src/bridge/capture/';
const lines = 'src/bridge/lines/';
const locks = 'src/bridge/locks/';
const bridge = 'src/bridge/bridge.ts';
const bridgeTerminal = 'src/bridge/bridge-terminal.ts';
const simulator = 'src/simulator/';
const office = 'src/office/';
const updates = 'src/updates/';
const examination = 'src/examine/';
const host = 'src/host/';
/** Three files that the host shares with `reconcile/` in it. */
const dataFolder = 'src/host/data-folder.ts';
const moneyPlace = 'src/host/money-place.ts';
const csv = 'src/host/saved-files/csv.ts';
const hostReconcile = 'src/host/reconcile/';
const reconcile = 'src/reconcile/';
const statements = 'src/statements/';
const catalogue = 'src/remote/catalogue/';
const client = 'src/remote/client/';
const sandbox = 'src/remote/sandbox/';
const webhooks = 'src/remote/webhooks/';
const pos = 'src/pos/';
/** What a till may send; no package comes with it. */
const requestForms = 'src/contract/request-forms.ts';
const ui = 'src/renderer/';
const pages = 'src/renderer/pages/*/';
const officePage = 'src/renderer/office/';
const locales = 'src/locales/';
const notifications = 'src/notifications/';
/** The two interfaces that stand between payments, the protocols and the lines; types only. */
const driverInterface = 'src/bridge/terminals/terminal-driver.ts';
/** What the drivers of several protocols are made with. */
const overLine = 'src/bridge/terminals/over-line.ts';
const ownRecord = 'src/bridge/terminals/own-record.ts';
const counters = 'src/bridge/terminals/counters.ts';
const messageTrace = 'src/bridge/terminals/message-trace.ts';
const byteLink = 'src/bridge/terminals/byte-link.ts';
const ackedRequests = 'src/bridge/terminals/acked-requests.ts';
const protocols = 'src/bridge/terminals/protocols.ts';
const createProtocol = 'src/bridge/terminals/create-protocol.ts';
/** What a protocol tells everybody of itself, and the list of these. */
const descriptor = 'src/bridge/terminals/*/descriptor.ts';
const registry = 'src/bridge/terminals/registry.ts';
const lineInterface = 'src/bridge/lines/line.ts';

const modules: Module[] = [
  {
    path: base,
    job: 'small things with no business: clock, chance, memory, printable text, private and atomic files',
    open: 'each file is one small thing, and all that there is to know of it',
    ours: [],
    packages: ['uuid'],
    node: ['fs', 'inspector', 'net', 'path', 'v8'],
  },
  {
    path: contract,
    job: 'what crosses a boundary: schemas, their types, money, error codes, configuration',
    open: 'each file is one boundary; an index would name them all and hide nothing',
    ours: [registry],
    packages: ['zod'],
    node: [],
    runsIn: 'anywhere',
  },
  {
    path: log,
    job: 'structured log, wire trace, masking at the moment of writing',
    ours: [base, contract, logInterface],
    packages: [],
    node: ['fs', 'path', 'sqlite'],
  },
  {
    path: logInterface,
    job: 'the log as the modules see it',
    ours: [base],
    packages: [],
    node: [],
  },
  {
    path: http,
    job: 'what our HTTP servers share: bounds, who may call, who gives way, bodies, server-sent events, log lines',
    ours: [base, contract, log],
    packages: [],
    node: ['http', 'net'],
  },
  {
    path: expressApp,
    job: 'the Express application that our servers build on',
    ours: [],
    packages: ['express'],
    node: [],
  },
  {
    path: listener,
    job: 'HTTP in, HTTP out',
    ours: [base, contract, http, expressApp, payments, log, locks],
    packages: ['express', 'prom-client', 'zod', 'zod-openapi'],
    node: ['crypto', 'http', 'path', 'stream', 'timers/promises'],
  },
  {
    path: payments,
    job: 'decides: pure machines of operation and terminal, commands, reconciliation, batch',
    ours: [base, contract, journal, log, driverInterface],
    packages: [],
    node: [],
  },
  {
    path: journal,
    job: 'durable events: append, project, query, verify',
    ours: [base, contract, log, locks],
    packages: [],
    node: ['crypto', 'fs', 'path', 'sqlite'],
  },
  {
    path: driverInterface,
    job: 'what payments knows of a terminal',
    ours: [contract, framing, lineInterface],
    packages: [],
    node: [],
  },
  {
    path: protocol,
    job: 'one protocol: session, exchanges, driver, what its records prove',
    ours: [
      base,
      contract,
      log,
      wire,
      framing,
      byteLink,
      ackedRequests,
      counters,
      messageTrace,
      ownRecord,
      createProtocol,
      driverInterface,
      lineInterface,
    ],
    packages: [],
    node: ['http'],
  },
  {
    path: descriptor,
    job: 'one protocol for everybody outside of its folder: data and schemas, for the contract and the page as well',
    ours: [contract],
    packages: ['zod'],
    node: [],
    runsIn: 'anywhere',
  },
  {
    path: registry,
    job: 'the protocols, one line for each',
    ours: [descriptor],
    packages: [],
    node: [],
    runsIn: 'anywhere',
  },
  {
    path: createProtocol,
    job: 'what a protocol is made of, and what is asked of it; types only',
    ours: [base, contract, log, driverInterface],
    packages: [],
    node: [],
  },
  {
    path: protocols,
    job: 'the protocols that the bridge speaks, by name; loads the one that is asked for',
    ours: [contract, protocol, createProtocol, driverInterface],
    packages: [],
    node: [],
  },
  {
    path: byteLink,
    job: 'one connection of a protocol of bytes: frames out, what a parser finds in, and their bounds',
    ours: [base, log, framing, lineInterface],
    packages: [],
    node: [],
  },
  {
    path: ackedRequests,
    job: 'one request at a time where each frame is acknowledged: repeats, waits and ends',
    ours: [base, log],
    packages: [],
    node: [],
  },
  {
    path: counters,
    job: 'how the numbers that terminals give follow on each other',
    ours: [],
    packages: [],
    node: [],
  },
  {
    path: messageTrace,
    job: 'messages of a protocol in the log, in words',
    ours: [log, framing],
    packages: [],
    node: [],
  },
  {
    path: overLine,
    job: 'a protocol of bytes on a line, as payments takes it',
    ours: [driverInterface, lineInterface],
    packages: [],
    node: [],
  },
  {
    path: ownRecord,
    job: 'what a terminal’s answer about one very operation proves of it',
    ours: [contract, driverInterface],
    packages: [],
    node: [],
  },
  {
    path: wire,
    job: 'one protocol: bytes to frames to meaning, and back',
    ours: [base, contract, log, framing, descriptor],
    packages: ['iconv-lite', 'zod'],
    node: ['crypto', 'util'],
  },
  {
    path: framing,
    job: 'what all protocols have in common: bytes, check bytes, events of a frame parser, how much may come',
    ours: [base, contract, log],
    packages: [],
    node: [],
  },
  {
    path: capture,
    job: 'records a terminal’s line, masked, and plays it again to the driver of another day',
    ours: [base, contract, log, framing, createProtocol, protocols, driverInterface, lineInterface],
    packages: ['zod'],
    node: ['fs', 'path'],
  },
  { path: lineInterface, job: 'what a protocol knows of a line', ours: [], packages: [], node: [] },
  {
    path: lines,
    job: 'moves bytes: serial, tcp, memory; lists ports',
    ours: [base, contract, log, locks, lineInterface],
    packages: ['serialport', 'zod'],
    node: ['dns/promises', 'fs', 'fs/promises', 'net', 'os', 'path', 'util'],
  },
  {
    path: locks,
    job: 'locks between processes that die with their holder',
    ours: [base],
    packages: ['zod'],
    node: ['crypto', 'fs', 'net', 'path', 'sqlite', 'url'],
  },
  {
    path: bridge,
    job: 'the one place that puts the parts together: the terminals, and one listener above them',
    ours: [base, contract, log, listener, createProtocol, bridgeTerminal, lines],
    packages: [],
    node: ['path'],
  },
  {
    path: bridgeTerminal,
    job: 'one terminal of the bridge: its journal, its payments, its line',
    ours: [base, contract, log, payments, journal, createProtocol, protocols, overLine, lines, capture],
    packages: [],
    node: ['path'],
  },
  {
    path: simulator,
    job: 'terminals at the other end of a line, each with its own memory of what it charged',
    ours: [base, contract, log, lines, lineInterface, framing, wire],
    packages: ['zod', '@lydell/node-pty'],
    node: ['crypto', 'fs', 'http', 'net', 'path', 'util'],
  },
  {
    path: examination,
    job: 'examines a POS: stands in for the bridge over a terminal that follows a script, and judges the requests',
    ours: [base, contract, log, listener, payments, journal, driverInterface, ownRecord],
    packages: [],
    node: [],
  },
  {
    path: updates,
    job: 'what a signed feed of versions says, and when a new one may be installed',
    ours: [base, contract, log],
    packages: ['electron-updater', 'zod'],
    node: ['crypto', 'fs', 'util'],
  },
  {
    path: reconcile,
    job: 'which entries of the accounts are the money of which closed batches; decides nothing else, and moves nothing',
    ours: [contract],
    packages: ['zod'],
    node: [],
    runsIn: 'anywhere',
  },
  {
    path: statements,
    job: 'entries of accounts from the statements of a bank; loaded when there is one',
    ours: [contract, reconcile],
    packages: ['fast-xml-parser'],
    node: ['crypto'],
  },
  {
    path: dataFolder,
    job: 'the data folder: where it is, who may write to it, and the journals in it',
    ours: [base, contract, journal],
    packages: ['env-paths'],
    node: ['fs', 'path'],
  },
  {
    path: moneyPlace,
    job: 'where the files about the money of closed batches are',
    ours: [dataFolder],
    packages: [],
    node: ['path'],
  },
  {
    path: csv,
    job: 'values as CSV',
    ours: [base, log],
    packages: [],
    node: [],
  },
  {
    path: hostReconcile,
    job: 'the money of closed batches: what is read and kept for it; loaded when somebody asks',
    ours: [base, contract, log, journal, reconcile, statements, dataFolder, moneyPlace, csv].concat(
      'src/remote/',
    ),
    packages: ['zod'],
    node: ['crypto', 'fs', 'path', 'timers/promises'],
  },
  {
    path: host,
    job: 'runs the bridge as its settings say, starts it again when they change, answers the console',
    ours: [
      base,
      contract,
      log,
      bridge,
      listener,
      payments,
      journal,
      driverInterface,
      createProtocol,
      protocols,
      lines,
      locks,
      simulator,
      capture,
      expressApp,
      reconcile,
      dataFolder,
      moneyPlace,
      csv,
      hostReconcile,
      updates,
    ],
    packages: ['fflate', 'zod'],
    node: [
      'child_process',
      'crypto',
      'fs',
      'fs/promises',
      'http',
      'net',
      'os',
      'path',
      'timers/promises',
      'util',
      'zlib',
    ],
  },
  {
    path: office,
    job: 'the head office of a chain: takes the journals of many shops, finds what people ask for and whether money came, and gives alarm',
    ours: [base, contract, http, expressApp, log, journal, reconcile, statements, webhooks, 'package.json'],
    packages: ['@electric-sql/pglite', 'express', 'nodemailer', 'openid-client', 'pg', 'prom-client', 'zod'],
    node: ['crypto', 'fs', 'http', 'path', 'util', 'worker_threads', 'zlib'],
  },
  {
    path: 'src/headless/',
    job: 'the bridge without Electron, and the command line',
    ours: [
      base,
      contract,
      log,
      http,
      expressApp,
      bridge,
      listener,
      payments,
      journal,
      framing,
      wire,
      lines,
      locks,
      capture,
      reconcile,
      simulator,
      examination,
      host,
      moneyPlace,
      hostReconcile,
      office,
    ].concat('src/remote/', sandbox, 'package.json'),
    packages: ['commander', 'env-paths', 'express'],
    node: ['child_process', 'crypto', 'fs', 'http', 'module', 'net', 'os', 'path', 'stream', 'url'],
  },
  {
    path: locales,
    job: 'what the app says, in each language',
    ours: [],
    packages: ['i18next'],
    node: [],
  },
  {
    path: notifications,
    job: 'what a person is notified of, when, once, and in which words; the same in the app and in a browser',
    ours: [base, contract, locales],
    packages: [],
    node: [],
    runsIn: 'anywhere',
  },
  {
    path: 'src/bridge-process/',
    job: 'the bridge of the desktop app, in a process of its own that answers the main process',
    ours: [base, contract, log, host, 'package.json'],
    packages: [],
    node: [],
  },
  {
    path: 'src/main/',
    job: 'Electron: window, tray, single instance, settings, IPC; starts the process of the bridge, again if need be',
    ours: [base, contract, locales, log, host, notifications, updates, 'package.json'],
    packages: ['electron', 'electron-updater', 'zod'],
    node: ['child_process', 'fs', 'fs/promises', 'path', 'sqlite', 'stream/promises'],
  },
  {
    path: 'src/preload/',
    job: 'the sandboxed bridge between window and main process',
    ours: [contract],
    packages: ['electron'],
    node: [],
    runsIn: 'page',
  },
  {
    path: ui,
    job: 'the console that cashier and support see',
    open: 'the pages are made of its parts',
    ours: [base, contract, locales, notifications, pages],
    packages: [
      '@fontsource-variable/inter',
      '@tanstack/react-query',
      'i18next',
      'lucide-react',
      'react',
      'react-dom',
      'react-i18next',
      'uplot',
      'zod',
    ],
    node: [],
    runsIn: 'page',
  },
  {
    path: pages,
    job: 'one page of the console',
    open: 'its parts are shown by the window around it',
    ours: [base, contract, locales, notifications, ui],
    packages: [
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'i18next',
      'lucide-react',
      'react',
      'react-dom',
      'react-i18next',
      'uplot',
    ],
    node: [],
    runsIn: 'page',
  },
  {
    path: officePage,
    job: 'the page of the head office, made of the console’s parts',
    ours: [contract, ui],
    packages: [
      '@fontsource-variable/inter',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'lucide-react',
      'react',
      'react-dom',
      'react-i18next',
    ],
    node: [],
    runsIn: 'page',
  },
  {
    path: 'src/remote/',
    job: 'the library of the remote treasury and compliance interface',
    open: 'each file of library/ is an entry that is published',
    ours: [base, catalogue, client, sandbox, webhooks],
    packages: [],
    node: [],
  },
  {
    path: catalogue,
    job: 'what the remote interface offers: operations, tables, error codes',
    ours: [],
    packages: ['zod'],
    node: [],
  },
  {
    path: webhooks,
    job: 'what a delivery is, and how its receiver knows whose it is; runs in a browser, too',
    ours: [base, catalogue],
    packages: ['zod'],
    node: [],
  },
  {
    path: client,
    job: 'sends the remote interface its requests; runs in a browser, too',
    ours: [base, logInterface, catalogue, 'package.json'],
    packages: ['zod'],
    node: [],
  },
  {
    path: sandbox,
    job: 'the remote interface on this machine, to try a client against',
    ours: [base, contract, http, expressApp, log, catalogue, webhooks],
    packages: ['express', 'zod', 'zod-openapi'],
    node: ['crypto', 'fs', 'http', 'path', 'sqlite'],
  },
  {
    path: pos,
    job: 'the library of a till: asks the bridge until it knows; runs in a browser, too',
    ours: [base, requestForms],
    packages: [],
    node: [],
    runsIn: 'anywhere',
  },
];

/** What the simulation leaves behind for its checker, and how a line of it is read. */
const evidenceFiles = ['test/simulation/evidence.ts', 'test/simulation/ledger-lines.ts'];

/** The first that fits is a file's own. */
const outside: Outside[] = [
  // A checker that shared code with what it checks would share its mistakes.
  { path: 'test/simulation/checker/', ours: evidenceFiles },
  ...evidenceFiles.map((path) => ({ path, ours: [] })),
  { path: 'test/', ours: ['src/', 'scripts/', 'bench/', 'bin/', 'package.json'] },
  { path: 'bench/', ours: ['src/', 'test/', 'scripts/'] },
  { path: 'scripts/', ours: ['src/', 'test/', 'bin/', 'package.json'] },
  { path: 'bin/', ours: [] },
];

/** Where the machine's clock and chance are made, and where programs are put together that use them. */
const machine = [
  'src/base/clock.ts',
  'src/base/chance.ts',
  'src/main/',
  'src/bridge-process/bridge-process.ts',
  'src/headless/cli-context.ts',
  'src/renderer/',
  // The entry of the published library is a program, too: its users have no clock of ours.
  'src/remote/library/',
  'src/pos/index.ts',
];

export const layers = { modules, outside, machine };
