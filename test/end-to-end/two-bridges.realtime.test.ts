/** One owner: two bridges, each a process with a journal of its own, are pointed at one terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createZvtSimulator, serveSimulatorOnTcp } from '../../src/simulator/index.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
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
