/**
 * The window alone, in Chromium, with a made-up host behind it: the built page is served as it is, and
 * `window.tillbridge` is a door to this process. What a test does not answer has a sensible answer of its own.
 *
 *     const window = await openConsoleWindow(browser, rendererFolder);
 *     const fake = await window.show({ state: consoleState({ … }) });
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import type {
  ResponseOf,
  ConsoleChange,
  ConsoleState,
  FileRequest,
  LogLine,
  PaymentFilter,
  PaymentView,
  MethodName,
  ConsoleResult,
  RequestOf,
  SettingsView,
} from '../../src/contract/console/index.ts';
import { orderOfPayments, takenMinor } from '../../src/contract/console/index.ts';
import { paymentTotals } from '../../src/host/views/payment-views.ts';
import { fitsWithoutText } from '../../src/renderer/pages/payments/payment-list.ts';
import { noSearch } from '../../src/host/find/search.ts';
import {
  batchView,
  consoleState,
  dayReport,
  daySummary,
  diagnosis,
  nowMs,
  paymentDetail,
  paymentView,
  receiptView,
  serialPort,
  settingsView,
} from './console-data.ts';
import { foundMoney, moneyOfBatch } from './money-data.ts';

type Answers = {
  [N in MethodName]?: (
    request: RequestOf<N>,
  ) => ConsoleResult<ResponseOf<N>> | Promise<ConsoleResult<ResponseOf<N>>>;
};

export interface FakeConsoleOptions {
  state?: ConsoleState;
  settings?: SettingsView;
  payments?: PaymentView[];
  /** By number, from 1. */
  lines?: LogLine[];
  answers?: Answers;
  width?: number;
  height?: number;
  scale?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** The part behind `#`, such as "payments". */
  route?: string;
}

export interface FakeConsole {
  page: Page;
  /** What the window has asked so far, in order. */
  invoked: { name: string; request: unknown }[];
  saved: FileRequest[];
  emit(change: ConsoleChange): Promise<void>;
  /** Changes what `state` answers, and tells it. */
  setState(state: ConsoleState): Promise<void>;
  /** Errors of the page: exceptions, and what it wrote to the console as an error. */
  errors: string[];
  close(): Promise<void>;
}

export interface ConsoleWindow {
  /** Shows another page; there is one at a time. `scale` and `locale` are those of the window. */
  show(options: FakeConsoleOptions): Promise<FakeConsole>;
  close(): Promise<void>;
}

/** What a page has been given, and what came of it. */
type Shown = Pick<FakeConsole, 'invoked' | 'saved' | 'errors'> & { answers: Answers };

/** A page in a window of its own, which closes with it. */
export async function openConsolePage(
  browser: Browser,
  { rendererFolder, ...options }: FakeConsoleOptions & { rendererFolder: string },
): Promise<FakeConsole> {
  const window = await openConsoleWindow(browser, rendererFolder, options);
  const fake = await window.show(options);
  return {
    ...fake,
    async close() {
      await fake.close();
      await window.close();
    },
  };
}

/**
 * A window that shows one page after the other. Each is loaded anew, with nothing of the one before it, and takes less
 * than half the time of a window of its own: what Chromium has fetched and compiled is there.
 */
export async function openConsoleWindow(
  browser: Browser,
  rendererFolder: string,
  { scale = 1, locale = 'en-GB' }: Pick<FakeConsoleOptions, 'scale' | 'locale'> = {},
): Promise<ConsoleWindow> {
  const site = await serveFolder(rendererFolder);
  const context = await browser.newContext({ deviceScaleFactor: scale, locale });
  const page = await context.newPage();
  let shown: Shown | null = null;
  /** Becomes what is shown once its page is there: what the one before still says is not of it. */
  let coming: { query: string; content: Shown } | null = null;
  let pages = 0;
  page.on('framenavigated', (frame) => {
    if (coming === null || new URL(frame.url()).search !== coming.query) return;
    shown = coming.content;
    coming = null;
  });
  page.on('pageerror', (error) => shown?.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') shown?.errors.push(message.text());
  });
  await page.exposeFunction('invokedInTest', async (name: MethodName, request: unknown) => {
    shown?.invoked.push({ name, request });
    const answer = shown?.answers[name] as ((request: unknown) => unknown) | undefined;
    return (
      (await answer?.(request)) ?? { ok: false, refusal: { code: 'internal_error', message: `no ${name}` } }
    );
  });
  await page.exposeFunction('savedInTest', (request: FileRequest) => {
    shown?.saved.push(request);
    return { kind: 'saved', name: 'file' };
  });
  // What a page keeps is its own; it is still there when it is loaded again.
  await page.addInitScript(`if (location.protocol === 'http:' && sessionStorage.getItem('page') !== location.search) {
    localStorage.clear();
    sessionStorage.clear();
    sessionStorage.setItem('page', location.search);
  }`);
  await page.addInitScript(`{
    const listeners = new Set();
    window.emitToWindow = (change) => { for (const listener of listeners) listener(change); };
    window.tillbridge = {
      invoke: (name, request) => window.invokedInTest(name, request),
      save: (request) => window.savedInTest(request),
      tryNotification: () => Promise.resolve(window.triedInTest ?? 'shown'),
      show: (place) => { window.openedInTest = place; return Promise.resolve(); },
      onGoTo: (listener) => { window.goToInTest = listener; },
      onChange: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    };
  }`);
  const emit = (change: ConsoleChange) =>
    page.evaluate(
      (change) => (globalThis as unknown as { emitToWindow: (change: unknown) => void }).emitToWindow(change),
      change,
    );
  return {
    async show(options) {
      const { width = 1_200, height = 800, colorScheme = 'light', route = 'till' } = options;
      let state = options.state ?? consoleState();
      const content: Shown = {
        invoked: [],
        saved: [],
        errors: [],
        answers: { ...usualAnswers(options, () => state), ...options.answers },
      };
      pages += 1;
      coming = { query: `?${pages}`, content };
      await page.setViewportSize({ width: Math.round(width / scale), height: Math.round(height / scale) });
      await page.emulateMedia({ colorScheme });
      await page.mouse.move(-1, -1);
      // From there it goes on by itself; tests do not wait for it, they move it on (`page.clock`).
      await context.clock.install({ time: nowMs });
      await page.goto(`${site.address}/index.html${coming.query}#/${route}`);
      await page.waitForSelector('main');
      return {
        ...content,
        page,
        emit,
        async setState(next) {
          state = next;
          await emit({ kind: 'state', state });
        },
        async close() {
          shown = null;
          await page.goto('about:blank');
        },
      };
    },
    async close() {
      await context.close();
      await site.close();
    },
  };
}

function fittingPayments(payments: PaymentView[], filter: PaymentFilter): PaymentView[] {
  const text = filter.text?.toLowerCase() ?? '';
  return payments.filter(
    (payment) => fitsWithoutText(filter, payment) && payment.reference.toLowerCase().startsWith(text),
  );
}

function usualAnswers(options: FakeConsoleOptions, state: () => ConsoleState): Answers {
  const ok = <T>(value: T) => ({ ok: true as const, value });
  const payments = options.payments ?? Array.from({ length: 60 }, (_, index) => paymentView(60 - index));
  const lines = options.lines ?? [];
  let settings = options.settings ?? settingsView();
  return {
    state: () => ok(state()),
    settings: () => ok(settings),
    saveSettings: (wanted) => {
      settings = { ...settings, settings: wanted };
      return ok(settings);
    },
    diagnosis: () => ok(diagnosis()),
    today: () => ok(daySummary()),
    payments({ before, limit, filter, order = 'newest' }) {
      const compare = orderOfPayments(order);
      const placeOf = (payment: PaymentView) => ({ ...payment, minor: takenMinor(payment) });
      const fitting = fittingPayments(payments, filter).toSorted((one, other) =>
        compare(placeOf(one), placeOf(other)),
      );
      const after = fitting.findIndex(({ position }) => position === before);
      const rest =
        before === null
          ? fitting
          : after < 0 || order === 'newest'
            ? fitting.filter(({ position }) => position < before)
            : fitting.slice(after + 1);
      const page = rest.slice(0, limit);
      return ok({ payments: page, next: rest.length > limit ? (page.at(-1)?.position ?? null) : null });
    },
    paymentTotals({ filter }) {
      const fitting = fittingPayments(payments, filter);
      const amounts = fitting.map((payment) => ({ ...payment, minor: takenMinor(payment) }));
      return ok(paymentTotals({ amounts, next: null, nextAt: null }));
    },
    payment({ transactionId }) {
      const found = payments.find((payment) => payment.transactionId === transactionId) ?? paymentView(1);
      return ok(paymentDetail(found));
    },
    receipt({ transactionId }) {
      const found = payments.find((payment) => payment.transactionId === transactionId) ?? paymentView(1);
      return ok(receiptView(found));
    },
    receiptPrinted: () => ok({}),
    dayReport: () => ok(dayReport()),
    batchReport: () =>
      ok({
        batch: batchView(2),
        decision: null,
        payments: { count: 3, items: [3, 2, 1].map((number) => paymentView(number, { status: 'settled' })) },
      }),
    batches: () =>
      ok({
        batches: [batchView(2), batchView(1)],
        next: null,
        open: { count: 3, sums: [{ count: 3, sumMinor: 5_600, currency: 'EUR' }] },
      }),
    money: () => ok(foundMoney()),
    moneyOfBatch: () => ok(moneyOfBatch(41)),
    lookForMoney: () => ok({ notes: [] }),
    logHistogram: () => ok({ span: null, bars: [] }),
    log({ before, limit, filter }) {
      const rest = lines
        .filter((line) => before === null || line.id < before)
        .filter((line) => filter.text === null || line.message.includes(filter.text))
        .toReversed();
      const page = rest.slice(0, limit);
      return ok({
        lines: page,
        next: rest.length > limit ? (page.at(-1)?.id ?? null) : null,
        first: lines[0]?.id ?? 0,
        last: lines.at(-1)?.id ?? 0,
        sources: [...new Set(lines.map((line) => line.source))],
      });
    },
    ports: () =>
      ok({
        ports: [
          serialPort('/dev/ttyUSB0', {
            name: 'Prolific USB-Serial',
            vendorId: '067b',
            productId: '2303',
            guess: { kind: 'adapter', maker: 'Prolific', protocols: [] },
            inUse: true,
            terminal: 'here',
          }),
        ],
      }),
    acceptDevice: () => ok({}),
    findTerminals: () => ok(noSearch),
    terminalSearch: () => ok(noSearch),
    stopSearch: () => ok(noSearch),
    testConnection: () => ok({ kind: 'ready', terminalId: '52500041', text: 'The terminal is ready.' }),
    tokens: () => ok({ tokens: [] }),
    createToken: () => ok({ token: 'tb_0123456789' }),
    removeToken: () => ok({}),
    startListener: () => ok({}),
    stopListener: () => ok({}),
    checkTerminal: () => ok({ kind: 'answered', text: 'The terminal is ready.' }),
    resolve: () => ok({}),
    submitBatch: () => ok({ text: 'The day is closed.' }),
    allowOrigin: () => ok(settings),
    cancelPayment: () => ok({ payment: paymentView(1, { status: 'cancelled' }) }),
    testPayment: () => ok({ payment: paymentView(1, { status: 'in_progress' }) }),
    voidPayment: () => ok({ payment: paymentView(1, { status: 'voided' }) }),
  };
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The folder as a loopback site, with the strictest part of the page's policy. */
async function serveFolder(folder: string): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const name = path.normalize(new URL(request.url ?? '/', 'http://page').pathname);
    readFile(path.join(folder, name)).then(
      (content) => {
        response.setHeader('content-type', mediaTypes[path.extname(name)] ?? 'application/octet-stream');
        // Its name changes with its content.
        if (name.startsWith('/assets/')) response.setHeader('cache-control', 'max-age=86400, immutable');
        response.setHeader(
          'content-security-policy',
          "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'",
        );
        response.end(content);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A window may stay as long as the process of the tests.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
