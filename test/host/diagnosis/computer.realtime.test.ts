/** Who has a port, as far as the computer tells: other processes, really there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { thisComputer } from '../../../src/host/diagnosis/computer.ts';
import { newFolder } from '../host-kit.ts';

let running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of running.splice(0)) await end();
});

/** A process of Node's that runs `code`, prints a line when it is ready, and stays. */
async function startOther(code: string, file: number | 'ignore' = 'ignore') {
  const other = spawn(process.execPath, ['-e', `${code}; setInterval(() => {}, 1e6)`], {
    stdio: [file, 'pipe', 'inherit'],
  });
  running.push(async () => {
    other.kill('SIGKILL');
    if (other.exitCode === null && other.signalCode === null) await once(other, 'exit');
  });
  if (other.stdout === null) throw new Error('no output');
  const [line] = (await once(other.stdout, 'data')) as [Buffer];
  return { processId: other.pid, line: line.toString().trim() };
}

describe.runIf(process.platform === 'linux')('this computer', () => {
  test('names the program that has a device open', async () => {
    const computer = thisComputer();
    const file = path.join(newFolder(), 'device');
    writeFileSync(file, '');
    expect(await computer.holderOf(file)).toBeNull();
    const descriptor = openSync(file, 'r');
    const { processId } = await startOther("console.log('ready')", descriptor);
    closeSync(descriptor);
    expect(await computer.holderOf(file)).toMatchObject({ processId, program: expect.stringMatching(/./) });
  });

  test('names the program that listens on a port', async () => {
    const { processId, line } = await startOther(
      "const server = require('net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))",
    );
    const computer = thisComputer();
    expect(await computer.holderOfTcpPort(Number(line))).toMatchObject({ processId });
    expect(await computer.holderOfTcpPort(1)).toBeNull();
  });

  test('names the user who listens on a port, and knows a Tillbridge by its answer', async () => {
    const serve = async (body: object) =>
      Number(
        (
          await startOther(
            `const server = require('http').createServer((_, answer) => answer.end(${JSON.stringify(JSON.stringify(body))})).listen(0, '127.0.0.1', () => console.log(server.address().port))`,
          )
        ).line,
      );
    const computer = thisComputer();
    const own = await serve({ success: false, version: '0.1.0', terminal: {}, journal: {} });
    expect(await computer.userOfTcpPort(own)).toBe(computer.userName);
    expect(await computer.isTillbridge(own)).toBe(true);
    expect(await computer.isTillbridge(await serve({ success: true }))).toBe(false);
  });

  test('tells whether a device may be opened, and how much room a disk has', async () => {
    const computer = thisComputer();
    const folder = newFolder();
    const file = path.join(folder, 'device');
    writeFileSync(file, '');
    expect(await computer.mayOpen(file)).toBe(true);
    expect(await computer.mayOpen(path.join(folder, 'none'))).toBe(false);
    expect(await computer.freeBytes(folder)).toBeGreaterThan(0);
    expect(await computer.mayWrite(folder)).toBe(true);
    // Root may everything.
    chmodSync(file, 0o000);
    if (process.getuid?.() !== 0) expect(await computer.mayOpen(file)).toBe(false);
    expect(await computer.groupOf(file)).toMatchObject({ isInForce: true });
  });
});
