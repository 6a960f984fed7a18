/**
 * The guide's `pay()` while the journal becomes damaged: its first request gets in and the card is charged, the answer is
 * lost, the bridge starts again with a damaged journal. Until somebody has repaired that, `pay()` must not take the
 * bridge's refusals for "no money", and afterwards it must learn what became of the payment.
 */
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtApp } from '../support/built-app.ts';
import { sharedChromium } from '../support/chromium.ts';
import { countsOf, readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { inPage, languagesHere, programOf, run, serveSite, unlessMonoCrashes } from './guide-kit.ts';

/** For three bridges one after the other, beside those of the other languages. */
const limited = { timeout: 300_000 };

/** Building it takes longer than all else, and belongs to no test. */
beforeAll(() => void builtApp(), 600_000);

/** Stands between program and bridge, so that answers can be lost, and the bridge be another one. */
interface Between {
  address: string;
  /** Where requests go now; null: nowhere, connections are closed. */
  bridgePort: number | null;
  /** Answers to CreatePayment are not handed on. */
  loseAnswers: boolean;
  /** What the bridge answered to CreatePayment, handed on or not. */
  answers: Record<string, unknown>[];
  answered(fits: (answer: Record<string, unknown>) => boolean, count?: number): Promise<void>;
  close(): void;
}

async function createBetween(): Promise<Between> {
  const looks = new Set<() => void>();
  const server: Server = createServer((incoming, response) => {
    const port = between.bridgePort;
    if (port === null) return void incoming.socket.destroy();
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const { method, url } = incoming;
    const onward = request({ port, method, path: url, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        const isPayment = method === 'POST' && url === '/CreatePayment';
        if (isPayment) between.answers.push(JSON.parse(text) as Record<string, unknown>);
        // A browser asks first whether it may post at all.
        if (between.loseAnswers && isPayment) incoming.socket.destroy();
        else response.writeHead(answer.statusCode ?? 500, answer.headers).end(text);
        for (const look of looks) look();
      });
      answer.on('error', () => incoming.socket.destroy());
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const between: Between = {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    bridgePort: null,
    loseAnswers: false,
    answers: [],
    answered: (fits, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (between.answers.filter(fits).length < count) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return between;
}

/** One till: a data folder, a bridge on it now and then, and a program that goes through `between`. */
interface Scene {
  folder: string;
  between: Between;
  origin: string;
  bridges: Program[];
}

/** Each language has a till of its own, so that they need not wait for each other. */
async function onScene<T>(act: (scene: Scene) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-guide-'));
  const between = await createBetween();
  const { site, origin } = await serveSite();
  const bridges: Program[] = [];
  try {
    return await act({ folder, between, origin, bridges });
  } finally {
    for (const bridge of bridges) await bridge.end();
    between.close();
    site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startBridge({ folder, between, origin, bridges }: Scene, says: RegExp): Promise<Program> {
  const more = ['--pace', '0', '--no-console', '--allow-origin', origin];
  const bridge = runTillbridge(bridgeOn('simulator', folder, ...more));
  bridges.push(bridge);
  const [, port = ''] = await bridge.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await bridge.printed(says);
  between.bridgePort = Number(port);
  return bridge;
}

/** Stops using the bridge, so that nobody is answered by it while it ends. */
async function endBridge({ between }: Scene, bridge: Program): Promise<void> {
  between.bridgePort = null;
  await bridge.end();
}

function withoutSetAside(name: string): boolean {
  return name.startsWith('journal') && !name.startsWith('journal-damaged');
}

/** Carries `program` through the story above; gives the first line that it printed, and how often it was charged. */
async function throughDamage(
  scene: Scene,
  program: () => Promise<string[]>,
): Promise<{ printed: string | undefined; charged: number }> {
  const { folder, between } = scene;
  const journals = path.join(folder, 'simulator');
  const kept = path.join(folder, 'kept');
  const first = await startBridge(scene, /The terminal is ready/);
  between.loseAnswers = true;
  let ended = false;
  const printing = program().finally(() => (ended = true));
  await Promise.race([between.answered(({ transaction_status: status }) => status === 'approved'), printing]);
  await endBridge(scene, first);

  const main = path.join(journals, 'journal.sqlite');
  copyFileSync(main, kept);
  writeFileSync(main, readFileSync(main).subarray(0, 6_000));
  between.loseAnswers = false;
  const damaged = await startBridge(scene, /THE JOURNAL IS DAMAGED/);
  const refused = ({ code }: Record<string, unknown>) => code === 'journal_unavailable';
  // It has had the first of these refusals and went on.
  await Promise.race([between.answered(refused, 2), printing]);
  expect(between.answers.find(refused)).toMatchObject({ success: false, payment_state: 'unknown' });
  expect(ended).toBe(false);
  await endBridge(scene, damaged);

  for (const name of readdirSync(journals).filter(withoutSetAside)) rmSync(path.join(journals, name));
  copyFileSync(kept, main);
  await startBridge(scene, /The terminal is ready/);
  const [printed] = await printing;
  const ledger = readLedger(path.join(journals, 'ledger.jsonl'));
  return { printed, charged: countsOf(ledger, '12.00').charged };
}

type Language = Parameters<typeof programOf>[0];

const inProgram = (language: Language) =>
  onScene((scene) => {
    const program = programOf(language, scene.between.address, scene.folder);
    return throughDamage(scene, () => run(...program));
  });

const inWebPage = () =>
  onScene(async (scene) => {
    const browser = await sharedChromium();
    const page = await browser.newPage();
    try {
      await page.goto(scene.origin);
      return await throughDamage(scene, () => page.evaluate<string[]>(inPage(scene.between.address)));
    } finally {
      await page.close();
    }
  });

const once = { printed: 'payment approved', charged: 1 };

describe.concurrent(
  'pay(), whose first request got in before the journal was damaged, learns what became of it',
  () => {
    it("in JavaScript, with the till's own client", limited, async () => {
      expect(await inProgram('client')).toEqual(once);
    });
    for (const { name, language } of languagesHere()) {
      it(`in ${name}`, { ...limited, ...unlessMonoCrashes }, async () => {
        expect(await inProgram(language)).toEqual(once);
      });
    }
    it.skipIf(!needs('chromium'))('in a web page', limited, async () => {
      expect(await inWebPage()).toEqual(once);
    });
  },
);
