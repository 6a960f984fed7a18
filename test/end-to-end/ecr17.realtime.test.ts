/** The five commands over HTTP to a simulated ECR17 terminal, on a socket and on a pseudo-terminal: each a process of its own. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { waitFor } from '../support/real-time.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTill, type Till } from '../support/till.ts';

const programs: Program[] = [];
let folder: string;
beforeEach(() => {
  folder = tempFolder('ecr17-processes');
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
  const program = start(bridgeOn(terminal, join(folder, 'bridge'), '--protocol', 'ecr17'));
  const [, port] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await program.printed(/terminal is ready/i);
  return { program, till: createTill(`http://127.0.0.1:${port}`) };
}

/** Gives what the bridge says of its health in the end. */
async function fiveCommands(where: string[]): Promise<Record<string, unknown>> {
  const ledgerFile = join(folder, 'ledger.jsonl');
  const simulator = start(['simulator', '--protocol', 'ecr17', '--ledger', ledgerFile, ...where]);
  const [, terminal = ''] = await simulator.printed(/listening on (\S+)/);
  const first = await startBridge(terminal);
  const status = async (answer: ReturnType<Till['create']>) => (await answer).body['transaction_status'];
  const becomes = ({ till }: { till: Till }, reference: string, pattern: RegExp) =>
    waitFor(async () => pattern.test(String(await status(till.query(reference)))), `the end of ${reference}`);
  const idle = ({ till }: { till: Till }) =>
    waitFor(async () => (await till.health()).status === 200, 'an idle terminal');

  expect(await status(first.till.create('12.00', 'A', 60))).toBe('approved');
  await idle(first);
  expect(await status(first.till.create('12.01', 'B', 60))).toBe('declined');
  await idle(first);
  // The line is cut in the middle of its answer.
  await first.till.create('12.05', 'C', 60);
  await becomes(first, 'C', /approved/);
  await idle(first);
  expect(await status(first.till.create('13.00', 'D'))).toBe('in_progress');
  // Too late for it, unless the sale has not been sent yet.
  const { body: cancelled } = await first.till.cancel('D');
  if (!cancelled.success) expect(cancelled.code).toBe('cancel_not_possible');
  await first.program.end('SIGKILL');

  const second = await startBridge(terminal);
  await becomes(second, 'D', cancelled.success ? /cancelled/ : /approved|failed/);
  await idle(second);
  expect((await second.till.create('14.00', 'E', 60)).body).toMatchObject({ success: true });
  await idle(second);
  expect((await second.till.void('A', 60)).body).toMatchObject({ code: 'payment_not_voidable' });
  expect((await second.till.void('E', 60)).body).toMatchObject({ success: true });
  await idle(second);
  expect((await second.till.batch(120)).body).toMatchObject({ success: true });
  await idle(second);

  const isCharged = (await status(second.till.query('D'))) === 'settled';
  const money = readLedger(ledgerFile)
    .filter(({ event }) => ['charged', 'reversed', 'settled'].includes(event))
    .map(({ event, amount, total }) => `${event} ${total ?? amount}`);
  expect(money).toEqual([
    'charged 12.00',
    'charged 12.05',
    ...(isCharged ? ['charged 13.00'] : []),
    'charged 14.00',
    'reversed 14.00',
    `settled ${isCharged ? '37.05' : '24.05'}`,
  ]);
  return (await second.till.health()).body;
}

describe('the five commands are carried out as the ledger says, also where a line is cut and the bridge is killed', () => {
  const agreed = { in_doubt: 0, discrepancies: 0 };

  it.each(['strict', 'hangs-up', 'lrc-std'])('over TCP, with a terminal as in “%s”', async (dialect) => {
    expect(await fiveCommands(['--tcp', '0', '--dialect', dialect])).toMatchObject(agreed);
  });

  it.skipIf(!needs('pseudo-terminals'))('on a pseudo-terminal', async () => {
    expect(await fiveCommands(['--serial'])).toMatchObject(agreed);
  });
});
