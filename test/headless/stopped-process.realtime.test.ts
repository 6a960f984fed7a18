/** A bridge that stood still (SIGSTOP, a sleeping machine): what was asked meanwhile and given up starts nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readLedger } from '../support/ledger.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import { createTill } from '../support/till.ts';

let dataDir: string;
let program: Program;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-stopped-'));
  program = runTillbridge(bridgeOn('simulator', dataDir, '--pace', '0'));
});
afterEach(async () => {
  program.process.kill('SIGCONT');
  await program.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

function createRequest(port: number, reference: string): string {
  const body = JSON.stringify({ amount: '12.00', retrieval_reference_number: reference });
  return [
    'POST /CreatePayment HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'x-api-version: v1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Asks on a connection that is open already, and hangs up before there is an answer. */
async function askAndGiveUp(socket: Socket, request: string): Promise<void> {
  await new Promise<void>((resolve) => void socket.end(request, resolve));
  socket.destroy();
}

it('starts nothing that was asked for while it stood still and was given up', async () => {
  const [, port = ''] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await program.printed(/The terminal is ready/);
  const till = createTill(`http://127.0.0.1:${port}`);
  const { body: first } = await till.create('1.00', 'BEFORE', 10);
  expect(first).toMatchObject({ transaction_status: 'approved' });

  const sockets = await Promise.all(Array.from({ length: 5 }, () => connected(Number(port))));
  program.process.kill('SIGSTOP');
  for (const [index, socket] of sockets.entries()) {
    await askAndGiveUp(socket, createRequest(Number(port), `GIVEN-UP-${index}`));
  }
  program.process.kill('SIGCONT');

  // An answer to a later request: what came before it has been seen.
  const { body: later } = await till.create('2.00', 'AFTER', 10);
  expect(later).toMatchObject({ transaction_status: 'approved' });
  for (const index of sockets.keys()) {
    const { status } = await till.query(`GIVEN-UP-${index}`);
    expect(status).toBe(404);
  }
  expect(await till.batch()).toMatchObject({ status: 200 });
  const charged = readLedger(path.join(dataDir, 'simulator', 'ledger.jsonl')).filter(
    ({ event }) => event === 'charged',
  );
  expect(charged.map(({ amount }) => amount)).toEqual(['1.00', '2.00']);
});
