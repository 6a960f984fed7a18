import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DiscrepancyView, InDoubtView } from '../../src/bridge/payments/index.ts';
import { silentLog } from '../../src/log/index.ts';
import type { ControlRequest } from '../../src/contract/control-channel.ts';
import { refuse } from '../../src/contract/errors.ts';
import { controlAddress } from '../../src/host/control/address.ts';
import { sendControlRequest } from '../../src/host/control/client.ts';
import {
  serveControl,
  type ConsoleLinks,
  type ControlPayments,
  type ControlServer,
} from '../../src/host/control/server.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const chance = seededChance(createVirtualClock());

const doubt: InDoubtView = {
  operationId: '01a1fbff-19f0-70e8-8625-fc8358c8bf1d',
  kind: 'sale',
  reference: 'A-1',
  amount: '12.00',
  currency: 'EUR',
  startedAt: '2026-01-01T10:00:00.000Z',
  reason: 'the line was cut',
  needsDecision: true,
  terminalSeenIdle: true,
  facts: [
    {
      seq: 3,
      at: '2026-01-01T10:00:00.000Z',
      event: {
        type: 'operation_in_doubt',
        operationId: '01a1fbff-19f0-70e8-8625-fc8358c8bf1d',
        reason: 'the line was cut',
      },
    },
  ],
  resolutions: ['charged', 'not-charged'],
};

const discrepancy: DiscrepancyView = {
  discrepancyId: '01a1fbff-19f0-70e8-8625-fc8358c8bf2e',
  kind: 'unexplained_payment',
  operationId: null,
  references: [],
  amountMinor: 1_200,
  currency: 'EUR',
  record: null,
  message: 'The terminal shows a payment that the bridge did not make.',
  seq: 1,
  foundAt: '2026-01-01T10:00:00.000Z',
  acknowledged: null,
};

let folder: string;
let servers: ControlServer[];
let asked: unknown[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-control-'));
  servers = [];
  asked = [];
});
afterEach(async () => {
  links = null;
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Payments = ControlPayments;

async function serve(changes: Partial<Payments> = {}, place = folder): Promise<ControlServer> {
  const payments: Payments = {
    operationsInDoubt: () => [doubt],
    checkTerminal: () => Promise.resolve({ kind: 'answered', text: 'The terminal is ready.' }),
    resolve(request) {
      asked.push(request);
      return { ok: true, value: { operationId: request.operationId, kind: 'sale', reference: 'A-1' } };
    },
    discrepancies: () => [discrepancy],
    acknowledge(request) {
      asked.push(request);
      const { by, reason } = request;
      return {
        ok: true,
        value: { ...discrepancy, acknowledged: { by, reason, at: '2026-01-01T11:00:00.000Z' } },
      };
    },
    status: () => ({
      terminal: {
        connection: 'ready',
        text: 'The terminal is ready.',
        line: 'memory:simulator',
        terminal: null,
        simulated: true,
        progress: null,
        progressStep: null,
      },
      journal: { writable: true, text: 'The journal is in order.' },
      inDoubt: 1,
      discrepancies: 0,
      currentOperation: null,
    }),
    ...changes,
  };
  const server = await serveControl({
    folder: place,
    payments,
    consoleLinks,
    saveSupportBundle: () => saveSupportBundle(),
    version: '1.2.3',
    chance,
    log: silentLog,
  });
  servers.push(server);
  return server;
}

/** Null: this bridge serves no console as a page. */
let links: ConsoleLinks | null = null;
const consoleLinks = () => links;
let saveSupportBundle: () => Promise<string> = () => Promise.resolve('/data/support.zip');
const ask = (request: ControlRequest, place = folder) =>
  sendControlRequest(place, request, createVirtualClock());

/** Sends bytes as they are and gives what comes back until the end. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(controlAddress(folder) ?? '');
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

describe('the control channel', () => {
  it('tells status and doubts, and takes a resolution', async () => {
    await serve();
    expect(await ask({ ask: 'status' })).toEqual({
      kind: 'answered',
      answer: {
        answer: 'status',
        version: '1.2.3',
        processId: process.pid,
        simulated: true,
        terminal: 'The terminal is ready.',
        inDoubt: 1,
        discrepancies: 0,
      },
    });
    expect(await ask({ ask: 'doubts' })).toEqual({
      kind: 'answered',
      answer: { answer: 'doubts', doubts: [doubt] },
    });
    const word = {
      operationId: doubt.operationId,
      resolution: 'charged',
      by: 'Ada',
      reason: 'day list',
    } as const;
    expect(await ask({ ask: 'resolve', ...word })).toMatchObject({
      answer: { answer: 'resolved', operationId: doubt.operationId },
    });
    await ask({ ask: 'resolve', ...word, terminalUnreachable: true });
    expect(asked).toEqual([
      { ...word, terminalUnreachable: false },
      { ...word, terminalUnreachable: true },
    ]);
  });

  it('tells discrepancies, and takes an acknowledgement', async () => {
    await serve();
    expect(await ask({ ask: 'discrepancies' })).toEqual({
      kind: 'answered',
      answer: { answer: 'discrepancies', discrepancies: [discrepancy] },
    });
    const word = { discrepancyId: discrepancy.discrepancyId, by: 'Ada', reason: 'a test card' };
    expect(await ask({ ask: 'acknowledge', ...word })).toMatchObject({
      answer: { answer: 'acknowledged', discrepancy: { acknowledged: { by: 'Ada', reason: 'a test card' } } },
    });
    expect(asked).toEqual([word]);
  });

  it('does not say "no discrepancy is open" for a journal that cannot be read', async () => {
    const journal = { writable: false, text: 'The journal is damaged.' };
    const status = { terminal: null as never, inDoubt: 0, discrepancies: 0, currentOperation: null };
    await serve({ discrepancies: () => [], status: () => ({ ...status, journal }) });
    expect(await ask({ ask: 'discrepancies' })).toMatchObject({
      answer: { answer: 'refused', code: 'journal_unavailable', message: 'The journal is damaged.' },
    });
  });

  it('hands a refusal on', async () => {
    await serve({ resolve: () => refuse('terminal_busy', 'It is still running.') });
    const answer = await ask({
      ask: 'resolve',
      operationId: 'x',
      resolution: 'charged',
      by: 'a',
      reason: 'b',
    });
    expect(answer).toEqual({
      kind: 'answered',
      answer: { answer: 'refused', code: 'terminal_busy', message: 'It is still running.' },
    });
  });

  it('does not say "nothing is in doubt" for a journal that cannot be read', async () => {
    const journal = { writable: false, text: 'The journal is damaged.' };
    const status = { terminal: null as never, inDoubt: 0, discrepancies: 0, currentOperation: null };
    await serve({ operationsInDoubt: () => [], status: () => ({ ...status, journal }) });
    expect(await ask({ ask: 'doubts' })).toMatchObject({
      answer: { answer: 'refused', code: 'journal_unavailable', message: 'The journal is damaged.' },
    });
  });

  it('answers a fault with a refusal, and goes on', async () => {
    await serve({
      operationsInDoubt() {
        throw new Error('a fault');
      },
    });
    expect(await ask({ ask: 'doubts' })).toMatchObject({
      answer: { answer: 'refused', code: 'internal_error' },
    });
    expect(await ask({ ask: 'status' })).toMatchObject({ answer: { answer: 'status' } });
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['another question', '{"ask":"money"}\n'],
    [
      'a resolution that there is not',
      '{"ask":"resolve","operationId":"x","resolution":"maybe","by":"a","reason":"b"}\n',
    ],
    ['a request that is too long', 'x'.repeat(70_000)],
  ])('refuses %s and takes the next request', async (_, bytes) => {
    await serve();
    expect(JSON.parse(await exchange(bytes))).toMatchObject({ answer: 'refused', code: 'invalid_request' });
    expect(asked).toEqual([]);
    expect(await ask({ ask: 'status' })).toMatchObject({ kind: 'answered' });
  });

  it('reads a request that comes in pieces', async () => {
    await serve();
    const answer = new Promise<string>((resolve) => {
      const socket = connect(controlAddress(folder) ?? '');
      socket.on('data', (piece: Buffer) => resolve(piece.toString()));
      socket.write('{"ask":', () => socket.write('"status"}\n'));
    });
    expect(JSON.parse(await answer)).toMatchObject({ answer: 'status' });
  });

  it('makes links to the console and ends them, where it is a page', async () => {
    await serve();
    expect(await ask({ ask: 'console_link' })).toMatchObject({
      answer: { answer: 'refused', code: 'not_found' },
    });
    expect(await ask({ ask: 'revoke_console' })).toMatchObject({ answer: { answer: 'refused' } });
    links = { makeLink: () => 'http://127.0.0.1:1/#link=x', revoke: () => ({ windows: 2, links: 1 }) };
    expect(await ask({ ask: 'console_link' })).toEqual({
      kind: 'answered',
      answer: { answer: 'console_link', link: 'http://127.0.0.1:1/#link=x' },
    });
    expect(await ask({ ask: 'revoke_console' })).toEqual({
      kind: 'answered',
      answer: { answer: 'console_revoked', windows: 2, links: 1 },
    });
  });

  it('puts a support bundle into its folder, or says why it cannot', async () => {
    await serve();
    expect(await ask({ ask: 'support_bundle' })).toEqual({
      kind: 'answered',
      answer: { answer: 'support_bundle', file: '/data/support.zip' },
    });
    saveSupportBundle = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    expect(await ask({ ask: 'support_bundle' })).toMatchObject({
      answer: { answer: 'refused', message: expect.stringContaining('no space left') },
    });
  });

  it('says that no bridge runs where none does, and where one was killed', async () => {
    expect(await ask({ ask: 'status' })).toEqual({ kind: 'no_bridge' });
    writeFileSync(path.join(folder, 'control.sock'), '');
    expect(await ask({ ask: 'status' })).toEqual({ kind: 'no_bridge' });
    expect(await ask({ ask: 'status' }, path.join(folder, 'missing'))).toEqual({ kind: 'no_bridge' });
  });

  it('does not take words that it does not understand for an answer', async () => {
    await serve({ operationsInDoubt: () => [{ ...doubt, kind: 'gift' as 'sale' }] });
    expect(await ask({ ask: 'doubts' })).toMatchObject({ kind: 'failed' });
  });
});

describe.skipIf(process.platform === 'win32')('the socket of the control channel', () => {
  it('is open to its owner only', async () => {
    await serve();
    expect(statSync(controlAddress(folder) ?? '').mode & 0o777).toBe(0o600);
  });

  it('takes the place of one that a killed bridge left behind, and goes when the bridge does', async () => {
    writeFileSync(path.join(folder, 'control.sock'), 'left behind');
    const server = await serve();
    expect(await ask({ ask: 'status' })).toMatchObject({ kind: 'answered' });
    await server.close();
    expect(existsSync(path.join(folder, 'control.sock'))).toBe(false);
  });

  it('is elsewhere when the folder’s name is too long for a socket', async () => {
    const long = path.join(folder, 'a'.repeat(60), 'b'.repeat(60));
    mkdirSync(long, { recursive: true });
    const server = await serve({}, long);
    const pointer = path.join(long, 'control.path');
    const socket = readFileSync(pointer, 'utf8').trim();
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(await ask({ ask: 'status' }, long)).toMatchObject({ kind: 'answered' });
    await server.close();
    expect(existsSync(pointer)).toBe(false);
    expect(existsSync(path.dirname(socket))).toBe(false);
    expect(await ask({ ask: 'status' }, long)).toEqual({ kind: 'no_bridge' });
  });

  it('removes no folder that it cannot have made', async () => {
    const precious = path.join(folder, 'tillbridge-precious');
    mkdirSync(precious);
    writeFileSync(path.join(folder, 'control.path'), path.join(precious, 'control.sock'));
    await serve();
    expect(existsSync(precious)).toBe(true);
  });
});
