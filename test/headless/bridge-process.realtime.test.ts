/** The bridge and the simulator as processes, as a user runs them. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';
import { bridgeProcessId, endStray } from '../support/stray-bridges.ts';
import { run } from './test-context.ts';
import { waitFor } from '../support/real-time.ts';

const commandLine = path.join(import.meta.dirname, '../../src/headless/tillbridge.ts');

let dataDir: string;
let programs: Program[];
/** Processes that must have ended with another; a failed test must not leave them behind. */
let strays: number[];
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-process-'));
  programs = [];
  strays = [];
});
afterEach(async () => {
  for (const program of programs) await program.end('SIGKILL');
  for (const stray of strays) endStray(stray);
  rmSync(dataDir, { recursive: true, force: true });
});

function start(...args: string[]): Program {
  const program = runTillbridge(args);
  programs.push(program);
  return program;
}

/** A bridge with the simulator, once its terminal is ready. */
async function startBridge(...more: string[]): Promise<{ program: Program; till: Till; port: string }> {
  const program = start(...bridgeOn('simulator', dataDir, '--pace', '0', ...more));
  const [, port = ''] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await program.printed(/The terminal is ready/);
  return { program, till: createTill(`http://127.0.0.1:${port}`), port };
}

describe('the process "tillbridge bridge"', () => {
  it('says where it listens, takes a payment, tells of it, and stops on SIGTERM', async () => {
    const { program, till } = await startBridge();
    expect(program.output()).toContain('SIMULATOR – no real payments');
    expect(program.output()).toMatch(/Try it: curl .*\/CreatePayment/);
    const paid = await till.create('12.00', 'A-1', 10);
    expect(paid.body).toMatchObject({ success: true, transaction_status: 'approved' });
    await program.printed(/Payment A-1 of 12\.00 EUR: approved/);
    expect(await program.end('SIGTERM')).toBe(0);
    expect(program.output()).toMatch(/Stopping\.\n(.*\n)*Stopped\.\n$/);
    expect(existsSync(path.join(dataDir, 'simulator', 'ledger.jsonl'))).toBe(true);
    expect(existsSync(path.join(dataDir, 'simulator', 'control.sock'))).toBe(false);
    expect((await run(['journal', 'verify', '--data-dir', dataDir])).exitCode).toBe(0);
  });

  it('says at the start whose journal is damaged, and the command that repairs it', async () => {
    const bar = path.join(dataDir, 'simulator/terminals/bar');
    mkdirSync(bar, { recursive: true });
    writeFileSync(path.join(bar, 'journal.sqlite'), 'no journal any more');
    const { program } = await startBridge('--add-terminal', 'bar=simulator');
    const command = `tillbridge journal repair --data-dir ${shellWord(dataDir)} --simulator --for bar`;
    expect(program.output()).toContain('THE JOURNAL OF "bar" IS DAMAGED. ');
    expect(program.output()).toContain(`stop the bridge and run "${command} --by NAME`);
    expect(await program.end('SIGTERM')).toBe(0);
    const chosen = ['--data-dir', dataDir, '--simulator', '--for', 'bar'];
    const repair = ['journal', 'repair', ...chosen, '--by', 'Ada', '--reason', 'disk'];
    expect(await run(repair)).toMatchObject({ exitCode: 0 });
  });

  it('lets the current payment end before it stops', async () => {
    const { program, till } = await startBridge('--pace', '1');
    expect((await till.create('12.00', 'A-1')).body).toMatchObject({ transaction_status: 'in_progress' });
    expect(await program.end('SIGTERM')).toBe(0);
    expect(program.output()).toContain('The current operation (sale) has up to 60 s');
    expect(program.output()).toContain('Payment A-1 of 12.00 EUR: approved');
    const { output } = await run(['doubts', '--data-dir', dataDir]);
    expect(output).toContain('nothing is in doubt');
  });

  it('ends at once on a second signal, and the payment is in doubt', async () => {
    const { program, till } = await startBridge('--pace', '1');
    await till.create('12.07', 'A-7');
    program.process.kill('SIGTERM');
    await program.printed(/Stopping\./);
    // The first one may come twice (npm, a launcher); only a later one is a second wish.
    await waitFor(() => {
      program.process.kill('SIGINT');
      return program.process.exitCode !== null;
    }, 'the end of the bridge');
    expect(await program.exited).toBe(130);
    const { output } = await run(['doubts', '--data-dir', dataDir]);
    expect(output).toContain('payment A-7 of 12.07 EUR');
  });

  it('ends on time although the current payment does not', async () => {
    const { program, till } = await startBridge('--pace', '1', '--stop-timeout-ms', '100');
    await till.create('12.07', 'A-7');
    expect(await program.end('SIGTERM')).toBe(0);
    const { output } = await run(['doubts', '--data-dir', dataDir]);
    expect(output).toContain('payment A-7 of 12.07 EUR');
  });

  it('is asked and told through its control channel while it runs', async () => {
    const first = await startBridge('--pace', '1', '--stop-timeout-ms', '0');
    // 12.09: the terminal takes the command and is silent for 20 s. A kill in that time leaves it in doubt.
    await first.till.create('12.09', 'A-9');
    await first.program.end('SIGKILL');
    const folder = path.join(dataDir, 'simulator');
    const second = start(...bridgeOn('tcp:127.0.0.1:1', folder));
    await second.printed(/Listening on/);
    const listed = await run(['doubts', '--data-dir', folder]);
    expect(listed.output).toContain('its bridge is running): 1 operation is in doubt');
    const decided = await run([
      'resolve',
      'A-9',
      '--outcome',
      'not-charged',
      '--by',
      'Ada',
      '--reason',
      'day list',
      '--terminal-unreachable',
      '--data-dir',
      folder,
    ]);
    expect(decided).toMatchObject({ exitCode: 0, errors: '' });
    await second.printed(/Payment A-9 of 12\.09 EUR: failed/);
    expect(await second.end()).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'stops when npm ends the shell that it put in between',
    async () => {
      // As `npm start` runs it; the second command keeps the shell from becoming the bridge itself.
      const command = `"${process.execPath}" "${commandLine}" bridge --terminal simulator --port 0 --data-dir "${dataDir}"; true`;
      const shell = spawn('sh', ['-c', command], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, npm_lifecycle_event: 'start' },
      });
      let output = '';
      const ready = new Promise<void>((resolve) => {
        shell.stdout.on('data', (piece: Buffer) => {
          output += piece.toString();
          if (output.includes('The terminal is ready')) resolve();
        });
      });
      const closed = new Promise((resolve) => shell.once('close', resolve));
      await ready;
      strays.push(await bridgeProcessId(path.join(dataDir, 'simulator')));
      shell.kill('SIGTERM');
      await closed;
      expect(output).toMatch(/Stopped\.\n$/);
    },
  );

  it('refuses a port that is in use, and names it', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const program = start('bridge', '--terminal', 'simulator', '--port', String(port), '--data-dir', dataDir);
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain(String(port));
    other.close();
  });

  it('refuses a data folder that another bridge uses', async () => {
    await startBridge();
    const second = start(...bridgeOn('simulator', dataDir));
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain('Another bridge is using the data folder');
  });

  it('refuses a data folder that is none', async () => {
    const program = start(...bridgeOn('simulator', '/dev/null/data'));
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/^The bridge cannot start: /);
  });

  it('refuses the simulator’s ledger in another currency', async () => {
    const { program, till } = await startBridge();
    await till.create('12.00', 'A-1', 10);
    await program.end();
    const other = start(...bridgeOn('simulator', dataDir, '--currency', 'CHF'));
    expect(await other.exited).toBe(1);
    expect(other.output()).toContain('kept in EUR, not in CHF');
  });
});

describe('the process "tillbridge simulator"', () => {
  it('prints one line with its port, charges, and remembers after a restart', async () => {
    const ledger = path.join(dataDir, 'ledger.jsonl');
    const first = start('simulator', '--tcp', '0', '--ledger', ledger, '--pace', '0');
    const [line, port = ''] = await first.printed(/ZVT simulator listening on tcp:127\.0\.0\.1:(\d+).*\n/);
    expect(first.output()).toBe(line);
    const bridge = start(...bridgeOn(`tcp:127.0.0.1:${port}`, dataDir));
    const [, bridgePort = ''] = await bridge.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
    await bridge.printed(/The terminal is ready/);
    expect(bridge.output()).not.toContain('SIMULATOR');
    const till = createTill(`http://127.0.0.1:${bridgePort}`);
    expect((await till.create('12.00', 'A-1', 10)).body).toMatchObject({ transaction_status: 'approved' });
    expect(await first.end('SIGTERM')).toBe(0);
    const second = start('simulator', '--tcp', port, '--ledger', ledger, '--pace', '0');
    await second.printed(/listening/);
    expect((await till.query('A-1')).body).toMatchObject({ transaction_status: 'approved' });
    expect(await bridge.end()).toBe(0);
    expect(await second.end('SIGINT')).toBe(0);
  });

  it('refuses a serial port that there is not', async () => {
    const program = start(
      'simulator',
      '--serial',
      '/dev/no-such-port',
      '--ledger',
      path.join(dataDir, 'l.jsonl'),
    );
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain('/dev/no-such-port');
  });
});
