/** The parts of the main process that need no Electron. */
import { EventEmitter } from 'node:events';
import path from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  currentOperations,
  type ConsoleChange,
  type ConsoleState,
} from '../../src/contract/console/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { devPage, provisionFileOf, settingSources } from '../../src/main/places.ts';
import type { QuitChoice } from '../../src/main/quit.ts';
import { otherTerminalState, terminalState } from '../support/console-data.ts';

// Nothing of Electron is touched here; importing it outside of Electron would fail.
vi.mock('electron', () => ({}));
const { autostartFile, keptFlags } = await import('../../src/main/autostart.ts');
const { channels } = await import('../../src/main/channels.ts');
const { fileOf, isOwnPage } = await import('../../src/main/page.ts');
const { hideWindow } = await import('../../src/main/main-window.ts');
const { createQuitFlow } = await import('../../src/main/quit.ts');
const { trayIconFile, trayStateOf } = await import('../../src/main/tray.ts');

const ready: ConsoleState = {
  version: '0.1.0',
  host: 'desktop',
  bridge: { kind: 'running' },
  listener: { kind: 'on', port: 8080, addresses: ['http://127.0.0.1:8080'] },
  terminal: {
    connection: 'ready',
    text: '',
    line: 'memory:simulator',
    terminal: null,
    simulated: true,
    progress: null,
    progressStep: null,
    lastHeardAt: null,
  },
  journal: { writable: true, text: '', damaged: false },
  currency: 'EUR',
  currentOperation: null,
  doubts: [],
  discrepancies: [],
  discrepancyCount: 0,
  salesHeld: false,
  heldElsewhere: null,
  doubtsElsewhere: 0,
  discrepanciesElsewhere: 0,
  lastPayment: null,
  lastEnded: null,
  blockedOrigins: [],
};
const currentOperation: NonNullable<ConsoleState['currentOperation']> = {
  operationId: 'O-1',
  kind: 'sale',
  reference: 'R-1',
  amountMinor: 1_200,
  currency: 'EUR',
  startedAt: '2026-01-01T12:00:00.000Z',
  cancelRequested: false,
};
const doubt: ConsoleState['doubts'][number] = {
  operationId: 'O-1',
  kind: 'sale',
  reference: 'R-1',
  amount: '12.00',
  currency: 'EUR',
  startedAt: '2026-01-01T12:00:00.000Z',
  reason: '',
  needsDecision: true,
  terminalSeenIdle: true,
  facts: [],
  resolutions: [],
};

describe('the state of the tray', () => {
  const terminal = (connection: 'attention' | 'lost' | 'operating' | 'connecting') => ({
    terminal: { ...ready.terminal, connection } as ConsoleState['terminal'],
  });
  const others = (...connections: ('ready' | 'attention' | 'lost' | 'connecting' | 'retired')[]) => ({
    otherTerminals: connections.map((connection, index) => {
      const retired = connection === 'retired';
      const state = terminalState({ connection: retired ? 'lost' : connection });
      return otherTerminalState({ name: `bar${index}`, retired, terminal: state });
    }),
  });
  it.each<[string, Partial<ConsoleState>, string]>([
    ['all is well', {}, 'ready'],
    ['an operation is under way', { currentOperation }, 'working'],
    ['the terminal works', terminal('operating'), 'working'],
    ['the terminal has something to say', terminal('attention'), 'attention'],
    ['the line is lost', terminal('lost'), 'connecting'],
    ['the line is opened', terminal('connecting'), 'starting'],
    ['a payment is in doubt', { doubts: [doubt] }, 'attention'],
    ['recovery is at work', { doubts: [{ ...doubt, needsDecision: false }] }, 'ready'],
    ['terminal and journal disagree', { discrepancyCount: 1 }, 'attention'],
    ['the journal is damaged', { journal: { writable: false, text: '', damaged: true } }, 'attention'],
    [
      'the journal cannot be written',
      { journal: { writable: false, text: '', damaged: false } },
      'attention',
    ],
    ['the journal of another terminal may miss payments', { heldElsewhere: 'bar' }, 'attention'],
    ['another terminal has something to say', others('ready', 'attention'), 'attention'],
    ['another terminal is lost', others('ready', 'lost'), 'connecting'],
    ['the line of another terminal is opened', others('connecting'), 'starting'],
    ['a terminal that is no longer configured has no line', others('retired'), 'ready'],
    ['the listener is off', { listener: { kind: 'off' } }, 'listener_off'],
    [
      'the port is taken',
      { listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: '' } },
      'attention',
    ],
    ['nothing is set up', { bridge: { kind: 'first_start' }, terminal: null }, 'attention'],
    ['the bridge cannot run', { bridge: { kind: 'failed', text: '' }, terminal: null }, 'attention'],
    ['the bridge starts', { bridge: { kind: 'starting' }, terminal: null }, 'starting'],
    ['the bridge has stopped', { bridge: { kind: 'stopped' }, terminal: null }, 'stopped'],
  ])('when %s', (_, change, expected) => {
    expect(trayStateOf({ ...ready, ...change })).toBe(expected);
  });
});

describe('an address of the page', () => {
  const folder = path.resolve('/app/renderer');
  it.each([
    ['/', 'index.html'],
    ['/index.html', 'index.html'],
    ['/assets/index-B_z.js', 'assets/index-B_z.js'],
  ])('%s means a file', (pathname, file) => {
    expect(fileOf(pathname, folder)).toBe(path.join(folder, file));
  });
  it.each([
    '/../main.js',
    '/%2e%2e/main.js',
    '/..%2fmain.js',
    '/..%5cmain.js',
    '/assets/../../main.js',
    '//etc/passwd',
    '/C:/x.js',
    '/index.html::$DATA',
    '/index.html%00.js',
    '/.env',
    '/%',
    '',
    '/assets/',
  ])('%s means none', (pathname) => {
    expect(fileOf(pathname, folder)).toBeNull();
  });

  it.each([
    ['app://tillbridge/', true],
    ['app://tillbridge/index.html#/log', true],
    ['app://tillbridge.evil/', false],
    ['app://user@tillbridge/', false],
    ['https://tillbridge/', false],
    ['file:///app/renderer/index.html', false],
    ['about:blank', false],
    ['', false],
  ])('%s is ours: %s', (url, expected) => {
    expect(isOwnPage(url, new URL('app://tillbridge/'))).toBe(expected);
  });
});

describe('the page of a development server', () => {
  const variable = (page: string) => ({ TILLBRIDGE_DEV_PAGE: page });
  it.each(['http://127.0.0.1:5173/', 'http://localhost:5173/', 'http://[::1]:5173/'])('may be %s', (page) => {
    expect(devPage(variable(page), false)?.href).toBe(page);
    expect(devPage(variable(page), true)).toBeNull();
  });
  it.each(['https://example.invalid/', 'http://10.0.0.1/', 'file:///tmp/x.html', 'javascript:1', 'x', ''])(
    'may not be "%s"',
    (page) => expect(devPage(variable(page), false)).toBeNull(),
  );
  it('is no setting of the bridge', () => {
    const { environment } = settingSources({ ...variable('http://localhost/'), TILLBRIDGE_PORT: '1' }, '/');
    expect(environment).toEqual({ TILLBRIDGE_PORT: '1' });
  });
});

describe('the autostart file', () => {
  it('has the flag that this start needed, and no other', () => {
    expect(keptFlags(['tillbridge', '--no-sandbox', '--hidden', '--devtools'])).toEqual(['--no-sandbox']);
    expect(keptFlags(['tillbridge', '--hidden'])).toEqual([]);
  });

  it('quotes what needs it', () => {
    const text = autostartFile(['/opt/Till Bridge/till"bridge', '/a%b', '--hidden']);
    expect(text).toContain('TryExec=/opt/Till Bridge/till"bridge\n');
    expect(text).toContain(String.raw`Exec="/opt/Till Bridge/till\\"bridge" /a%%b --hidden` + '\n');
  });
});

describe('the channels', () => {
  it('are the same at both ends', () => {
    const preload = readFileSync(path.join(import.meta.dirname, '../../src/preload/preload.ts'), 'utf8');
    const named = new Set(preload.match(/tillbridge:\w+/g));
    expect([...named].sort()).toEqual(Object.values(channels).sort());
  });
});

describe('quitting', () => {
  function setUp() {
    /** What the bridge's process has told, and what it knows. */
    let told: ConsoleState = { ...ready, currentOperation };
    let known = told;
    let tell: (change: ConsoleChange) => void = () => {};
    const seen: string[] = [];
    const chosen = Promise.withResolvers<QuitChoice>();
    const stopping = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const quitFlow = createQuitFlow({
      bridge: {
        onTerminals: () => currentOperations(told),
        lookAtTerminals: () => Promise.resolve(currentOperations(known)),
        stop() {
          seen.push('stop');
          return stopping.promise;
        },
        console: {
          invoke: () => Promise.reject(new Error('not asked')),
          makeFile: () => Promise.reject(new Error('not made')),
          subscribe(listener) {
            tell = listener;
            return () => void (tell = () => {});
          },
        },
        log: silentLog,
      },
      choose() {
        seen.push('choose');
        return chosen.promise;
      },
      exit() {
        seen.push('leave');
        gone.resolve();
      },
    });
    /** Lets everything that is due happen. */
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const show = async (state: ConsoleState) => {
      told = state;
      known = state;
      tell({ kind: 'state', state });
      await settle();
    };
    return {
      quitFlow,
      seen,
      async quit() {
        quitFlow.invoke();
        await settle();
      },
      know: (state: ConsoleState) => void (known = state),
      settle,
      left: gone.promise,
      stopped: stopping.resolve,
      breaks: stopping.reject,
      async choose(choice: QuitChoice) {
        chosen.resolve(choice);
        await settle();
      },
      async unaskable() {
        chosen.reject(new Error('no dialog'));
        await settle();
      },
      end: () => show(ready),
      show,
    };
  }

  it('asks once, however often it is asked for', async () => {
    const { quitFlow, quit, seen, choose } = setUp();
    quitFlow.invoke();
    quitFlow.invoke();
    await quit();
    expect(seen).toEqual(['choose']);
    await choose('cancel');
    expect(seen).toEqual(['choose']);
  });

  it('waits for the operation, then stops, then leaves', async () => {
    const { quit, seen, choose, end, stopped, settle } = setUp();
    await quit();
    await choose('wait');
    expect(seen).toEqual(['choose']);
    await end();
    expect(seen).toEqual(['choose', 'stop']);
    stopped();
    await settle();
    expect(seen).toEqual(['choose', 'stop', 'leave']);
  });

  it('does not wait for what has ended while the question was open', async () => {
    const { quit, seen, choose, end } = setUp();
    await quit();
    await end();
    await choose('wait');
    expect(seen).toEqual(['choose', 'stop']);
  });

  it('waits for the operation on each of several terminals', async () => {
    const { quit, seen, choose, show, end } = setUp();
    const bar = otherTerminalState({ currentOperation: { ...currentOperation, operationId: 'O-2' } });
    await show({ ...ready, currentOperation, otherTerminals: [bar] });
    await quit();
    await choose('wait');
    // The main one's has ended.
    await show({ ...ready, otherTerminals: [bar] });
    expect(seen).toEqual(['choose']);
    await end();
    expect(seen).toEqual(['choose', 'stop']);
  });

  it('asks because of a payment that the bridge knows and has not told yet', async () => {
    const { quit, know, seen, show } = setUp();
    await show(ready);
    know({ ...ready, currentOperation });
    await quit();
    expect(seen).toEqual(['choose']);
  });

  it('asks nobody when nothing is on a terminal any more, whatever was told last', async () => {
    const { quit, know, seen } = setUp();
    know(ready);
    await quit();
    expect(seen).toEqual(['stop']);
  });

  it('asks nobody when the system ends while the bridge is looked at', async () => {
    const { quitFlow, seen, settle } = setUp();
    quitFlow.invoke();
    quitFlow.end(60_000);
    await settle();
    expect(seen).toEqual(['stop']);
  });

  it('asks nobody when the system ends, also while the question is open', async () => {
    const { quitFlow, quit, seen, choose, stopped, settle } = setUp();
    await quit();
    quitFlow.end(60_000);
    await choose('cancel');
    expect(seen).toEqual(['choose', 'stop']);
    stopped();
    await settle();
    expect(seen).toEqual(['choose', 'stop', 'leave']);
  });

  it('waits for the operation when the user cannot be asked', async () => {
    const { quit, seen, unaskable, end } = setUp();
    await quit();
    await unaskable();
    expect(seen).toEqual(['choose']);
    await end();
    expect(seen).toEqual(['choose', 'stop']);
  });

  it('leaves when the bridge does not stop in time, or breaks', async () => {
    const slow = setUp();
    slow.quitFlow.end(null);
    slow.quitFlow.end(0);
    await slow.left;
    expect(slow.seen).toEqual(['stop', 'leave']);
    const broken = setUp();
    broken.quitFlow.end(null);
    broken.breaks(new Error('the disk is gone'));
    await broken.settle();
    expect(broken.seen).toEqual(['stop', 'leave']);
  });
});

describe('the provision file of the computer', () => {
  const installation = { environment: {}, isPackaged: true, resourcesFolder: 'C:\\Tillbridge\\resources' };

  it.each([
    ['win32', 'C:\\Tillbridge\\resources\\provision.json'],
    ['darwin', '/Library/Application Support/Tillbridge/provision.json'],
    ['linux', '/etc/tillbridge/provision.json'],
  ] as const)('on %s is where docs/installing.md says', (platform, file) => {
    expect(provisionFileOf({ ...installation, platform })).toBe(file);
    expect(readFileSync('docs/installing.md', 'utf8')).toContain(
      platform === 'win32' ? String.raw`resources\provision.json` : file,
    );
  });

  it('is named by a variable, or switched off with it, and is none for an app that is run from its sources', () => {
    const here = { ...installation, platform: 'linux' } as const;
    expect(provisionFileOf({ ...here, isPackaged: false })).toBeNull();
    const named = (TILLBRIDGE_PROVISION: string) =>
      provisionFileOf({ ...here, isPackaged: false, environment: { TILLBRIDGE_PROVISION } });
    expect(named('/srv/till.json')).toBe(path.resolve('/srv/till.json'));
    expect(named('')).toBeNull();
    expect(settingSources({ TILLBRIDGE_PROVISION: '/srv/till.json' }, '/').environment).toEqual({});
  });
});

describe('a window in full screen', () => {
  class FullScreenWindow extends EventEmitter {
    readonly done: string[] = [];
    isFullScreen = () => true;
    setFullScreen = (wanted: boolean) => void this.done.push(`full screen ${wanted}`);
    hide = () => void this.done.push('hide');
  }
  const hide = (platform: NodeJS.Platform) => {
    const window = new FullScreenWindow();
    hideWindow(window as never, platform);
    return window;
  };

  it('leaves that first on macOS, and is hidden once it has', () => {
    const window = hide('darwin');
    expect(window.done).toEqual(['full screen false']);
    window.emit('leave-full-screen');
    expect(window.done).toEqual(['full screen false', 'hide']);
  });
  it('is hidden at once elsewhere', () => {
    expect(hide('linux').done).toEqual(['hide']);
  });
});

describe('the icons of the tray', () => {
  const states = ['ready', 'working', 'attention', 'waiting', 'off'];
  const folder = path.resolve('build/tray');

  it.each(['darwin', 'win32', 'linux'] as const)('are all there on %s', (platform) => {
    const files = states.map((state) => trayIconFile(state, platform));
    expect(files.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
    // What Electron takes for dense screens; an icon file of Windows has all of its sizes in it.
    const dense = platform === 'win32' ? [] : files.map((file) => file.replace('.png', '@2x.png'));
    expect(dense.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
  });
  it('are templates on macOS, which Electron knows by their names', () => {
    expect(states.every((state) => trayIconFile(state, 'darwin').endsWith('Template.png'))).toBe(true);
  });

  /** The sizes that an icon file of Windows has, and where its last picture ends. */
  function sizesOf(file: string) {
    const bytes = readFileSync(file);
    const entries = Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
    const last = entries.at(-1) ?? 0;
    return {
      sizes: entries.map((at) => bytes.readUInt8(at) || 256),
      isWhole: bytes.readUInt32LE(last + 8) + bytes.readUInt32LE(last + 12) === bytes.length,
    };
  }
  it('have the sizes of 100, 125, 150 and 200 % on Windows, as the app itself has', () => {
    for (const state of states) {
      expect(sizesOf(path.join(folder, `${state}.ico`))).toMatchObject({
        sizes: expect.arrayContaining([16, 20, 24, 32]),
        isWhole: true,
      });
    }
    expect(sizesOf('build/icon.ico')).toEqual({ sizes: [16, 20, 24, 32, 40, 48, 64, 256], isWhole: true });
  });
});
