/** One owner: two bridges, each a process with a journal of its own, are pointed at one terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { serveSimulatorOnTcp } from '../../src/simulator/index.ts';
import { createZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { formatAmount } from '../../src/contract/money.ts';
import { readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { rows } from '../support/protocol-rows.ts';
import { createTill, type Till } from '../support/till.ts';

const programs: Program[] = [];
const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL');
  for (const clean of cleanUp.splice(0)) await clean();
});

describe('two bridges on one line', () => {
  it('leave it to the first, which is told nothing by the second; and to the second when the first is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-two-'));
    const simulator = createZvtSimulator({
      ledgerFile: join(folder, 'ledger.jsonl'),
      framing: 'tcp',
      timeScale: 0,
      clock: systemClock,
      log: silentLog,
      currency: 'EUR',
    });
    const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock: systemClock });
    cleanUp.push(
      () => served.close(),
      () => rmSync(folder, { recursive: true, force: true }),
    );
    const start = async (name: string): Promise<{ program: Program; till: Till }> => {
      const terminal = `tcp:127.0.0.1:${served.port}`;
      const program = runTillbridge(bridgeOn(terminal, join(folder, name)));
      programs.push(program);
      const [, port] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
      return { program, till: createTill(`http://127.0.0.1:${port}`) };
    };

    const first = await start('first');
    await first.program.printed(/terminal is ready/i);
    const second = await start('second');
    await second.program.printed(/another tillbridge/i);
    const registrations = simulator.state().commands['0600'];

    const refused = await second.till.create('12.00', 'A');
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'terminal_unavailable' } });
    expect(refused.body.message).toMatch(/another tillbridge/i);
    expect((await first.till.create('12.00', 'A', 30)).body['transaction_status']).toBe('approved');
    expect(simulator.state().commands).toMatchObject({ '0600': registrations, '0601': 1 });

    // A killed owner leaves nothing behind that anybody would have to clear away.
    await first.program.end('SIGKILL');
    await second.program.printed(/terminal is ready/i);
    expect((await second.till.create('12.00', 'A', 30)).body['transaction_status']).toBe('approved');
    expect(simulator.state().commands['0601']).toBe(2);
  });
});

const withoutPseudoTerminals = !needs('pseudo-terminals');

describe.each(rows)('two bridges on one terminal, $name', ({ transport, currency, bridge, simulator }) => {
  it.skipIf(transport === 'serial' && withoutPseudoTerminals)(
    'the second sends nothing before the first is gone',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tillbridge-two-'));
      const ledgerFile = join(folder, 'ledger.jsonl');
      cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
      const run = (args: string[]) => {
        const program = runTillbridge(args);
        programs.push(program);
        return program;
      };
      const where = transport === 'serial' ? ['--serial'] : [`--${transport}`, '0'];
      const kept = ['--ledger', ledgerFile, '--data-dir', join(folder, 'terminal'), '--pace', '0.1'];
      const terminal = run(['simulator', ...simulator, ...where, ...kept]);
      const [, told = ''] = await terminal.printed(/listening on (\S+)/);
      // A web page’s address there, in which the setting has no slashes.
      const address = told.replace('http://', 'http:');
      const start = async (name: string) => {
        const program = run(bridgeOn(address, join(folder, name), ...bridge));
        const [, port] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
        return { program, till: createTill(`http://127.0.0.1:${port}`) };
      };
      const amounts = () =>
        readLedger(ledgerFile).flatMap(({ event, amount }) => (event === 'charged' ? [amount] : []));
      const [one, other] = [formatAmount(120_000, currency), formatAmount(130_000, currency)];

      const first = await start('first');
      await first.program.printed(/terminal is ready/i);
      const second = await start('second');
      await second.program.printed(/another tillbridge/i);
      expect(await second.till.create(one, 'A')).toMatchObject({
        status: 503,
        body: { code: 'terminal_unavailable', payment_state: 'not_started' },
      });
      expect((await first.till.create(one, 'A', 60)).body['transaction_status']).toBe('approved');
      expect(amounts()).toEqual([one]);

      await first.program.end('SIGKILL');
      await second.program.printed(/terminal is ready/i);
      expect((await second.till.create(other, 'B', 60)).body['transaction_status']).toBe('approved');
      expect(amounts()).toEqual([one, other]);
    },
  );
});
