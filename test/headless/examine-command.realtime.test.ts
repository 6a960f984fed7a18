/** `tillbridge examine` with a command that pays, as in a pipeline of somebody's POS. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestContext, run } from './test-context.ts';

const folder = tempFolder('examine-command');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A POS that asks again until it knows, or only once. */
function pos(name: string, asksAgain: boolean): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
     const { TILLBRIDGE_ADDRESS: address, TILLBRIDGE_SCENE: scene } = process.env;
     appendFileSync(${JSON.stringify(join(folder, `${name}.scenes`))}, scene + '\\n');
     const body = JSON.stringify({ retrieval_reference_number: scene + '-' + process.pid, amount: '12.00' });
     const headers = { 'x-api-version': 'v1', 'content-type': 'application/json' };
     const pay = () => fetch(address + '/CreatePayment', { method: 'POST', headers, body }).then((a) => a.json());
     for (;;) {
       const answer = await pay();
       if (!${asksAgain} || answer.transaction_status !== 'in_progress') break;
       await new Promise((resolve) => setTimeout(resolve, 300));
     }`,
  );
  return `"${process.execPath}" "${file}"`;
}

/** All that takes time is fast but for the patience, which a slow machine needs. */
const fast = ['--port', '0', '--pace', '0.05', '--quiet', '0.1', '--patience', '3', '--limit', '60'];

async function examined(...flags: string[]) {
  const context = createTestContext({ clock: systemClock, currentFolder: folder });
  const exitCode = await runTillbridge(['examine', ...fast, ...flags], context);
  return { exitCode, context, output: context.results.join('\n'), errors: context.errors.join('\n') };
}

describe('tillbridge examine', () => {
  it('passes a good POS, and writes its report', async () => {
    const flags = ['--scenes', 'declined,approved', '--press', pos('good', true), '--out', 'report.md'];
    const { exitCode, output, errors, context } = await examined(...flags);
    expect(errors).toBe('');
    expect(output).toBe('approved  passed\ndeclined  passed\n2 of 2 scenes passed.');
    expect(exitCode).toBe(0);
    // In the order of all scenes, whatever order they are named in.
    expect(readFileSync(join(folder, 'good.scenes'), 'utf8')).toBe('approved\ndeclined\n');
    expect(context.infos.join('\n')).toMatch(/Scene 2 of 2, declined: The card is declined\./);
    const report = readFileSync(join(folder, 'report.md'), 'utf8');
    expect(report).toContain('| declined | The card is declined. | passed |');
    expect(report).toMatch(/CreatePayment approved-\d+, 12\.00: 200 approved/);
  });

  it('names what a bad POS must not do, as JSON and by its exit code', async () => {
    const flags = ['--scenes', 'approved', '--press', pos('bad', false), '--json'];
    const { exitCode, output, context } = await examined(...flags);
    expect(exitCode).toBe(1);
    expect(context.infos).toEqual([]);
    expect(JSON.parse(output)).toMatchObject({
      passed: false,
      scenes: [
        {
          name: 'approved',
          result: 'failed',
          findings: [{ kind: 'approved_assumed' }],
          payments: [{ charged: '12.00' }],
          requests: [{ path: '/CreatePayment', answer: { status: 200 } }],
        },
      ],
    });
  });

  it('says so when nobody has paid', async () => {
    const { exitCode, output } = await examined('--scenes', 'approved', '--press', 'exit 0');
    expect(output).toBe('approved  not played\n0 of 1 scenes passed.');
    expect(exitCode).toBe(1);
  });

  it('leaves no command behind when it is interrupted', async () => {
    const waits = join(folder, 'waits.mjs');
    const started = join(folder, 'started');
    writeFileSync(
      waits,
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(started)}, String(process.pid));
       setInterval(() => {}, 1000);`,
    );
    const context = createTestContext({ clock: systemClock, currentFolder: folder });
    const flags = ['--scenes', 'approved', '--press', `"${process.execPath}" "${waits}"`];
    const running = runTillbridge(['examine', ...fast, ...flags], context);
    const pid = () => (existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0);
    await expect.poll(pid).toBeGreaterThan(0);
    context.signal('SIGINT');
    expect(await running).toBe(1);
    await expect.poll(() => isRunning(pid())).toBe(false);
  });

  it('reports what was played until it was interrupted', async () => {
    const context = createTestContext({ clock: systemClock, currentFolder: folder });
    const flags = ['--scenes', 'approved,declined', '--press', pos('cut', true)];
    const inform = context.info;
    context.info = (line) => {
      inform(line);
      if (line.startsWith('Scene 2')) context.signal('SIGINT');
    };
    const exitCode = await runTillbridge(['examine', ...fast, ...flags], context);
    expect(exitCode).toBe(1);
    expect(context.results).toEqual(['approved  passed', '1 of 1 scenes passed.']);
    expect(context.errors.join()).toContain('interrupted');
  });

  it('says so when its port is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { exitCode, errors } = await run(['examine', '--port', String(port)]);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/There is no examination: Port \d+ is used by another program/);
    await new Promise<void>((resolve) => taken.close(() => resolve()));
  });

  it.each([
    ['--scenes', 'approved,lots', 'there is no "lots"'],
    ['--pace', '0', '--pace must be more than 0'],
    ['--limit', 'x', '--limit must be more than 0'],
    ['--port', '70000', 'port'],
  ])('refuses %s %s', async (flag, value, words) => {
    const { exitCode, errors } = await run(['examine', flag, value]);
    expect(exitCode).toBe(2);
    expect(errors).toContain(words);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
