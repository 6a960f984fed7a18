/**
 * The window alone, in Chromium, with a made-up host behind it: the built page is served as it is, and
 * `window.tillbridge` is a door to this process. What a test does not answer has a sensible answer of its own.
 *
 *     using page: const fake = await openConsolePage(browser, { state: consoleState({ … }) });
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import type {
  AnswerOf,
  ConsoleChange,
  ConsoleState,
  FileRequest,
  LogLine,
  PaymentView,
  QuestionName,
  Reply,
  RequestOf,
  SettingsView,
} from '../../src/contract/console/index.ts';
import {
  batchView,
  consoleState,
  daySummary,
  nowMs,
  paymentDetail,
  paymentView,
  settingsView,
} from './console-data.ts';

type Answers = {
  [N in QuestionName]?: (request: RequestOf<N>) => Reply<AnswerOf<N>> | Promise<Reply<AnswerOf<N>>>;
};

export interface FakeConsoleOptions {
  rendererFolder: string;
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
  asked: { name: string; request: unknown }[];
  saved: FileRequest[];
  tell(change: ConsoleChange): Promise<void>;
  /** Changes what `state` answers, and tells it. */
  setState(state: ConsoleState): Promise<void>;
  /** Errors of the page: exceptions, and what it wrote to the console as an error. */
  errors: string[];
  close(): Promise<void>;
}

export async function openConsolePage(browser: Browser, options: FakeConsoleOptions): Promise<FakeConsole> {
  const { width = 1_200, height = 800, colorScheme = 'light', locale = 'en-GB', scale = 1 } = options;
  let state = options.state ?? consoleState();
  const asked: FakeConsole['asked'] = [];
  const saved: FileRequest[] = [];
  const errors: string[] = [];
  const answers: Answers = { ...usualAnswers(options, () => state), ...options.answers };
  const site = await serveFolder(options.rendererFolder);
  const context = await browser.newContext({
    viewport: { width: Math.round(width / scale), height: Math.round(height / scale) },
    deviceScaleFactor: scale,
    colorScheme,
    locale,
  });
  // From there it goes on by itself; tests do not wait for it, they move it on (`page.clock`).
  await context.clock.install({ time: nowMs });
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.exposeFunction('askedOfTest', async (name: QuestionName, request: unknown) => {
    asked.push({ name, request });
    const answer = answers[name] as ((request: unknown) => unknown) | undefined;
    return (
      (await answer?.(request)) ?? { ok: false, refusal: { code: 'internal_error', message: `no ${name}` } }
    );
  });
  await page.exposeFunction('savedInTest', (request: FileRequest) => {
    saved.push(request);
    return { kind: 'saved', name: 'file' };
  });
  await page.addInitScript(`{
    const listeners = new Set();
    window.tellWindow = (change) => { for (const listener of listeners) listener(change); };
    window.tillbridge = {
      ask: (name, request) => window.askedOfTest(name, request),
      save: (request) => window.savedInTest(request),
      onChange: (listener) => { listeners.add(listener); return () => listeners.delete(listener); },
    };
  }`);
  await page.goto(`${site.address}/index.html#/${options.route ?? 'till'}`);
  await page.waitForSelector('main');
  const tell = (change: ConsoleChange) =>
    page.evaluate(
      (told) => (globalThis as unknown as { tellWindow: (change: unknown) => void }).tellWindow(told),
      change,
    );
  return {
    page,
    asked,
    saved,
    errors,
    tell,
    async setState(next) {
      state = next;
      await tell({ kind: 'state', state });
    },
    async close() {
      await context.close();
      await site.close();
    },
  };
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
    today: () => ok(daySummary()),
    payments({ before, limit, filter }) {
      const rest = payments.filter(
        (payment) =>
          (before === null || payment.position < before) &&
          (filter.status === null || payment.status === filter.status) &&
          (filter.text === null || payment.reference.toLowerCase().startsWith(filter.text.toLowerCase())),
      );
      const page = rest.slice(0, limit);
      return ok({ payments: page, next: rest.length > limit ? (page.at(-1)?.position ?? null) : null });
    },
    payment({ transactionId }) {
      const found = payments.find((payment) => payment.transactionId === transactionId) ?? paymentView(1);
      return ok(paymentDetail(found));
    },
    batches: () =>
      ok({
        batches: [batchView(2), batchView(1)],
        next: null,
        open: { count: 3, totalMinor: 5_600, currency: 'EUR' },
      }),
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
          {
            path: '/dev/ttyUSB0',
            name: 'Prolific USB-Serial',
            vendorId: '067b',
            productId: '2303',
            serialNumber: null,
            inUse: true,
          },
        ],
      }),
    testConnection: () => ok({ kind: 'ready', terminalId: '52500041', text: 'The terminal is ready.' }),
    tokens: () => ok({ tokens: [] }),
    createToken: () => ok({ token: 'tb_0123456789' }),
    removeToken: () => ok({}),
    startListener: () => ok({}),
    stopListener: () => ok({}),
    resolve: () => ok({}),
    submitBatch: () => ok({ text: 'The day is closed.' }),
    allowOrigin: () => ok(settings),
    cancelPayment: () => ok({ payment: paymentView(1, { status: 'cancelled' }) }),
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
