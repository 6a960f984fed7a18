/** `tillbridge capture` between the maker's own SDK of Transbank and a terminal, over pseudo-terminals; and on TCP. */
import { readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import sdk from 'transbank-pos-sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { replayFile } from '../../src/bridge/capture/index.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import { readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createRealTime } from '../support/real-time.ts';
import { serveTerminalForSdk } from '../support/transbank-sdk.ts';
import { createTestContext } from './test-context.ts';

const { POSIntegrado } = sdk;
const { until } = createRealTime();
const folder = tempFolder('capture-command');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs until `end`; `address` is where the till connects. */
async function capture(...flags: string[]) {
  const context = createTestContext({ clock: systemClock, currentFolder: folder });
  const running = runTillbridge(['capture', ...flags], context);
  const address = await Promise.race([
    until(() => /the till connects to \w+:(\S+),/.exec(context.infos.join('\n'))?.[1], 'the start'),
    running.then((code) => Promise.reject(new Error(`ended with ${code}: ${context.errors.join()}`))),
  ]);
  return {
    context,
    address,
    end() {
      context.signal('SIGINT');
      return running;
    },
  };
}

describe.skipIf(!needs('pseudo-terminals'))('between the SDK and its terminal', () => {
  it('records what they say to each other, without anything of a card, for a replay', async () => {
    const ledgerFile = join(folder, 'ledger.jsonl');
    const terminal = await serveTerminalForSdk(ledgerFile);
    const { address, end } = await capture(
      '--protocol',
      'transbank',
      '--currency',
      'CLP',
      '--terminal',
      `serial:${terminal.path}`,
      '--out',
      'transbank.jsonl',
    );
    const till = new POSIntegrado();
    try {
      expect(await till.connect(address)).toBe(true);
      expect(await till.poll()).toBe(true);
      expect(await till.sale(2_400, 'ABC123', true, () => {})).toMatchObject({
        successful: true,
        ticket: 'ABC123',
        last4Digits: 6_590,
      });
      expect(await till.sale(2_401, 'ABC124', false, () => {})).toMatchObject({ successful: false });
      expect(await till.getTotals()).toMatchObject({ txCount: 1, txTotal: 2_400 });
    } finally {
      await till.disconnect();
      expect(await end()).toBe(0);
      await terminal.close();
    }
    expect(readLedger(ledgerFile).map(({ event }) => event)).toEqual(['charged']);
    const file = join(folder, 'transbank.jsonl');
    const recorded = readFileSync(file, 'utf8');
    expect(recorded).toContain('"name":"sale result"');
    // Of a card its last four digits at most: nothing that is as long as a number.
    expect(recorded.endsWith('}\n')).toBe(true);
    const bytes = Array.from(recorded.matchAll(/"hex":"([^"]*)"/g), ([, hex = '']) =>
      Buffer.from(hex.replaceAll(/[:*]/g, ''), 'hex').toString('latin1'),
    );
    expect(bytes.join('\n')).not.toMatch(/\d{13}/);
    const result = await replayFile(file);
    if (!result.ok) throw new Error(result.error);
    expect(result.replays[0]?.outcomes).toEqual([
      expect.stringMatching(/sale of 2400 \(CLP, in minor units\) this version makes {"kind":"done"/),
      expect.stringMatching(/sale of 2401 .* makes {"kind":"declined"/),
    ]);
    expect(result.replays[0]?.differences).toEqual([]);
  });
});

describe('on TCP', () => {
  const echo = () =>
    new Promise<{ port: number; sockets: Socket[]; close(): void }>((resolve) => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket);
        socket.on('data', (bytes) => socket.write(bytes));
        socket.on('error', () => {});
      });
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        const port = typeof address === 'object' && address !== null ? address.port : 0;
        resolve({
          port,
          sockets,
          close() {
            for (const socket of sockets) socket.destroy();
            server.close();
          },
        });
      });
    });

  it('passes every byte, whatever it is, to one till at a time, and the next one after it', async () => {
    const terminal = await echo();
    const { address, context, end } = await capture(
      '--protocol',
      'zvt',
      '--terminal',
      `tcp:127.0.0.1:${terminal.port}`,
      '--listen',
      'tcp:0',
      '--out',
      'bytes.jsonl',
    );
    const [host = '', port = ''] = address.split(':');
    const all = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const come = () => {
      const socket = connect({ host, port: Number(port) });
      let back = Buffer.alloc(0);
      socket.on('data', (bytes: Buffer) => (back = Buffer.concat([back, bytes])));
      socket.on('error', () => {});
      return { socket, back: () => back };
    };
    for (let tills = 1; tills <= 2; tills += 1) {
      const till = come();
      till.socket.write(all);
      await until(() => till.back().length === all.length, 'the bytes');
      expect(till.back().equals(all)).toBe(true);
      const other = come();
      await until(() => other.socket.destroyed, 'the end of a second till');
      till.socket.end();
      await until(
        () => context.infos.filter((info) => info === 'The till has left.').length === tills,
        'the end',
      );
    }
    expect(terminal.sockets).toHaveLength(2);
    expect(await end()).toBe(0);
    terminal.close();
  });

  it('takes a free port of this computer where none is named', async () => {
    const terminal = await echo();
    const { address, end } = await capture(
      '--protocol',
      'zvt',
      '--terminal',
      `tcp:127.0.0.1:${terminal.port}`,
      '--out',
      'free.jsonl',
    );
    expect(address).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    const till = connect({ host: '127.0.0.1', port: Number(address.split(':')[1]) });
    till.on('error', () => {});
    await until(() => terminal.sockets.length === 1, 'the line to the terminal');
    till.destroy();
    expect(await end()).toBe(0);
    terminal.close();
  });

  it('is not begun where the terminal is in use by another Tillbridge', async () => {
    const terminal = await echo();
    const flags = ['--protocol', 'zvt', '--terminal', `tcp:127.0.0.1:${terminal.port}`, '--listen', 'tcp:0'];
    const first = await capture(...flags, '--out', 'first.jsonl');
    await expect(capture(...flags, '--out', 'second.jsonl')).rejects.toThrow(
      /ended with 1: Another Tillbridge on this computer uses the line/,
    );
    expect(await first.end()).toBe(0);
    terminal.close();
  });
});
