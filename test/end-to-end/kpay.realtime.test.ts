/** The five commands over HTTP to a simulated KPay terminal: each program is a process of its own, with fresh keys. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';

const appSecret = 'a-secret-of-this-test';

const programs: Program[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-kpay-'));
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(args: string[]): Program {
  const program = runTillbridge(args);
  programs.push(program);
  return program;
}

async function startBridge(terminal: string): Promise<{ program: Program; till: Till }> {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, appSecret, { mode: 0o600 });
  const kpay = ['--kpay-app-id', 'shop', '--kpay-app-secret-file', secretFile];
  const settings = ['--protocol', 'kpay', '--currency', 'HKD', ...kpay];
  const program = start(bridgeOn(terminal, join(folder, 'bridge'), ...settings));
  const [, port] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await program.printed(/terminal is ready/i);
  return { program, till: createTill(`http://127.0.0.1:${port}`) };
}

it('are carried out as the ledger says, also where an answer is lost and the bridge is killed in a sale', async () => {
  const ledgerFile = join(folder, 'ledger.jsonl');
  const application = ['--app-id', 'shop', '--app-secret', appSecret];
  const simulator = start(
    ['simulator', '--protocol', 'kpay', '--http', '0', '--ledger', ledgerFile].concat(application),
  );
  const [, port] = await simulator.printed(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  const terminal = `http:127.0.0.1:${port}`;
  const first = await startBridge(terminal);
  const status = async (answer: ReturnType<Till['create']>) => (await answer).body['transaction_status'];

  expect(await status(first.till.create('124.00', 'A', 60))).toBe('approved');
  expect(await status(first.till.create('124.01', 'B', 60))).toBe('declined');
  // The answer to it never comes.
  expect(await status(first.till.create('124.08', 'C', 60))).toBe('approved');
  expect(await status(first.till.create('124.07', 'D'))).toBe('in_progress');
  expect(await first.till.cancel('D')).toMatchObject({ status: 200, body: { success: true } });
  expect(await status(first.till.create('125.00', 'E'))).toBe('in_progress');
  await first.program.end('SIGKILL');

  const { program, till } = await startBridge(terminal);
  expect(await status(till.query('E', 60))).toMatch(/approved|failed/);
  expect(await till.void('A', 60)).toMatchObject({ status: 200, body: { success: true } });
  expect(await till.batch(120)).toMatchObject({ status: 200, body: { success: true } });
  const charged = (await status(till.query('E'))) === 'settled';
  const money = readLedger(ledgerFile)
    .filter(({ event }) => ['charged', 'reversed', 'settled'].includes(event))
    .map(({ event, amount, total }) => `${event} ${amount ?? total}`);
  expect(money).toEqual([
    'charged 124.00',
    'charged 124.08',
    ...(charged ? ['charged 125.00'] : []),
    'reversed 124.00',
    `settled ${charged ? '249.08' : '124.08'}`,
  ]);
  expect((await till.health()).body).toMatchObject({ in_doubt: 0, discrepancies: 0 });
  await program.end();
  for (const printed of [program.output(), readFileSync(ledgerFile, 'utf8')])
    expect(printed).not.toContain(appSecret);
});
