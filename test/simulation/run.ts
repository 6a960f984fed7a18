/** One run: a plan is played in a shop of its own, then everything is allowed to come to rest, and the checker looks. */
import { mkdirSync, mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccidents } from './accidents.ts';
import { check } from './checker/index.ts';
import { forgetDisk } from './disk.ts';
import type { Finding } from './evidence.ts';
import { closeDayManually, payManually, refundManually, replaceTerminal, reverseManually } from './hands.ts';
import { createManager, type Manager } from './manager.ts';
import type { Entry, Plan } from './plan.ts';
import { createShop, type Shop } from './shop.ts';
import { createClientTill } from './client-till.ts';
import { createTill, type Till } from './till.ts';

export interface RunResult {
  findings: Finding[];
  /** Sales that a till asked for. */
  payments: number;
  counts: Map<string, number>;
  /** Virtual time that went by. */
  elapsedMs: number;
}

/** More than any sale: a refund looks like a payment, and only its amount tells them apart. */
const refundMinor = 10_000_000;
const longestRunMs = 5 * 24 * 3_600_000;
/** Much longer than recovery may take once everything works. */
const lookEveryMs = 3_000;
const calmMs = 15 * 60_000;

/** Memory where the machine has some as a folder: what is synced there costs nothing. */
const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const folder = mkdtempSync(join(root, 'tillbridge-simulation-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let runs = 0;

/** What is attached to a shop for a run, and what it finds once the shop has come to rest. */
interface Attached {
  end(): Promise<Finding[]>;
}

/** Called with the shop before its bridge begins. */
export type Attach = (shop: Shop) => Promise<Attached>;

export async function runPlan(
  plan: Plan,
  tell: ((line: string) => void) | null = null,
  attach: Attach | null = null,
): Promise<RunResult> {
  runs += 1;
  const mine = join(folder, String(runs));
  mkdirSync(mine);
  const shop = createShop(plan, mine, tell);
  const attached = await attach?.(shop);
  try {
    const findings: Finding[] = [];
    try {
      await shop.world.run(play(shop, attached, findings), longestRunMs);
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      findings.push({ rule: 'the run comes to its end', text });
    }
    findings.push(
      ...check({
        records: [...shop.records],
        ledgerFile: shop.ledgerFile,
        journalFile: shop.journalFile,
        shows: shop.protocol.shows(plan.dialect, plan.secondDialect),
        maxTipPercent: plan.maxTipPercent,
        minorPerUnit: shop.minorPerUnit,
      }),
    );
    for (const { rule, text } of findings) shop.trace(() => `FINDING: ${rule}: ${text}`);
    const payments = plan.entries.filter(({ kind }) => kind === 'sale').length;
    const { dialect, secondDialect } = plan;
    shop.count(`dialect ${secondDialect === null ? dialect : 'two at once'}`, payments);
    shop.count(`line ${plan.framing}`, payments);
    return { findings, payments, counts: shop.counts, elapsedMs: shop.world.elapsed() };
  } finally {
    forgetDisk(shop.journalFile);
    rmSync(mine, { recursive: true, force: true });
  }
}

async function play(shop: Shop, attached: Attached | undefined, findings: Finding[]): Promise<void> {
  const { plan, world } = shop;
  const till = plan.till === 'client' ? createClientTill(shop) : createTill(shop);
  const manager = createManager(shop, shop.random('manager'));
  const accidents = createAccidents(shop, till, manager);
  const random = shop.random('till');
  shop.start();
  await world.sleep(3_000);
  for (const entry of plan.entries) {
    shop.trace(() => `--- ${entry.id}: ${entry.kind}`);
    accidents.arm(entry);
    await act(shop, till, entry);
    await world.sleep(random.integer(100, 4_000));
  }
  accidents.end();
  shop.trace(() => '--- everything works again');
  await comeToRest(shop, till, manager);
  findings.push(...((await attached?.end()) ?? []));
  manager.end();
  await shop.close();
}

async function act(shop: Shop, till: Till, entry: Entry): Promise<void> {
  const { world } = shop;
  switch (entry.kind) {
    case 'sale': {
      const sale = till.begin(`R${entry.id}`, entry.amountMinor);
      await till.pay(sale, entry.waitS, entry.patienceMs);
      if (entry.thenRepeat) await till.create(sale, null);
      if (entry.thenVoid && sale.status === 'approved') await till.void(sale);
      return;
    }
    case 'reuse': {
      const sale = till.sales.at(-1 - entry.back);
      if (sale !== undefined) await till.create(sale, null, sale.amountMinor + 100);
      return;
    }
    case 'void': {
      const sale = till.sales.at(-1 - entry.back);
      if (sale !== undefined) await till.void(sale);
      return;
    }
    case 'batch':
      await till.submitBatch();
      return;
    case 'hand':
      if (entry.what === 'payment') payManually(shop, entry.amountMinor);
      else if (entry.what === 'refund') refundManually(shop, entry.amountMinor + refundMinor);
      else if (entry.what === 'reversal') reverseManually(shop, entry.back);
      else closeDayManually(shop);
      return;
    case 'restart':
      await shop.stop();
      await world.sleep(500);
      shop.start();
      return;
    case 'backup':
      await shop.stop();
      shop.disk.backUp(shop.backupFolder);
      shop.count('journal backup');
      shop.start();
      return;
    case 'copy':
      shop.disk.backUp(shop.backupFolder);
      shop.count('journal copied while the bridge worked');
      return;
    case 'damage':
      await shop.stop();
      if (shop.disk.damage(entry.events, entry.newer)) shop.count('journal damaged');
      shop.start();
      return;
    case 'restore':
      await shop.stop();
      if (shop.restore()) shop.count('journal put back');
      shop.start();
      return;
    case 'replace_terminal':
      replaceTerminal(shop, `6900${String(entry.id).padStart(4, '0')}`);
      return;
    case 'pause':
      await world.sleep(entry.durationMs);
      return;
  }
}

/** The terminal can be reached, people are there, and the POS asks for everything once more. */
async function comeToRest(shop: Shop, till: Till, manager: Manager): Promise<void> {
  const { world } = shop;
  manager.beThorough();
  await world.sleep(5_000);
  if (shop.process === null) shop.start();
  shop.process?.clock.goOn(0);
  await waitForRest(shop);
  // A bridge that starts looks at the terminal, so that nobody has to wait for the next time it would; and somebody has
  // given it the id of a terminal that takes nothing under another one's.
  await shop.stop();
  shop.start();
  await world.sleep(lookEveryMs);
  await waitForRest(shop);
  for (const sale of till.sales) {
    await till.query(sale, null);
    shop.count(`outcome ${sale.status ?? 'never started'}`);
  }
  const { process } = shop;
  const terminal = process?.payments?.status().terminal;
  shop.note({
    kind: 'calm',
    ready: terminal?.connection === 'ready',
    doubts: process?.payments?.operationsInDoubt().length ?? 0,
    text: terminal?.text ?? process?.damage ?? 'the bridge does not run',
  });
}

async function waitForRest(shop: Shop): Promise<void> {
  const { world } = shop;
  const untilMs = world.elapsed() + calmMs;
  while (world.elapsed() < untilMs && !isAtRest(shop)) await world.sleep(lookEveryMs);
}

function isAtRest(shop: Shop): boolean {
  const payments = shop.process?.payments ?? null;
  if (payments === null) return false;
  const { terminal, currentOperation } = payments.status();
  return (
    terminal.connection === 'ready' &&
    currentOperation === null &&
    payments.operationsInDoubt().length === 0 &&
    payments.discrepancies().length === 0
  );
}
