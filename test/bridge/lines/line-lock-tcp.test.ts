import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockLine, sameLine, tcpLockNames, type Network } from '../../../src/bridge/lines/line-lock.ts';
import type { LineLock } from '../../../src/bridge/lines/line.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** A network in which a test says what every name stands for. */
function network(names: Record<string, string[]> = {}, own: string[] = []): Network {
  return {
    lookup: (host) => {
      const addresses = names[host];
      return addresses === undefined
        ? Promise.reject(new Error(`getaddrinfo ENOTFOUND ${host}`))
        : Promise.resolve(addresses);
    },
    ownAddresses: () => own,
  };
}

describe('one terminal has one lock, by whatever name it is called', () => {
  let folder = '';
  let locks: LineLock[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-tcp-lock-'));
  });
  afterEach(() => {
    for (const lock of locks.splice(0)) if (lock.kind === 'held') lock.release();
    rmSync(folder, { recursive: true, force: true });
  });

  async function lock(lineName: string, world: Network) {
    const lock = await lockLine(lineName, {
      place: { kind: 'folder', folder },
      dataFolder: '/data',
      ports: [],
      network: world,
      clock: createVirtualClock(),
    });
    locks.push(lock);
    return lock;
  }

  const world = network(
    {
      localhost: ['::1', '127.0.0.1'],
      terminal: ['10.0.0.5'],
      'terminal.shop.example': ['fd00::5', '10.0.0.5'],
      mycomputer: ['192.168.7.2'],
    },
    ['192.168.7.2', 'fe80::1'],
  );

  it.each([
    ['this computer', ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST.', '127.0.0.2', '[::ffff:127.0.0.1]']],
    ['this computer in the network', ['192.168.7.2', 'mycomputer', 'localhost', '[fe80::1]']],
    ['a terminal', ['terminal', '10.0.0.5', 'Terminal', '[::ffff:10.0.0.5]', 'terminal.shop.example']],
    ['its other address', ['terminal.shop.example', '[fd00:0:0::5]']],
  ])('%s', async (_, hosts) => {
    for (const first of hosts) {
      const held = await lock(`tcp:${first}:20007`, world);
      expect(held.kind).toBe('held');
      for (const second of hosts) {
        expect((await lock(`tcp:${second}:20007`, world)).kind, `${first} and ${second}`).toBe('taken');
      }
      // Whatever is spoken there.
      expect((await lock(`http:${first}:20007`, world)).kind).toBe('taken');
      expect((await lock(`tcp:${first}:20008`, world)).kind).toBe('held');
      for (const each of locks.splice(0)) if (each.kind === 'held') each.release();
    }
  });

  it('is known to be the same line', async () => {
    const same = (one: string, other: string) =>
      sameLine(one, other, { ports: [], network: world, clock: createVirtualClock() });
    expect(await same('tcp:terminal:20007', 'tcp:10.0.0.5:20007')).toBe(true);
    expect(await same('tcp:terminal:20007', 'tcp:10.0.0.6:20007')).toBe(false);
    expect(await same('tcp:terminal.nowhere:20007', 'tcp:10.0.0.5:20007')).toBe(false);
    expect(await same('memory:simulator', 'tcp:10.0.0.5:20007')).toBe(false);
  });

  it('other terminals are free', async () => {
    expect((await lock('tcp:10.0.0.5:20007', world)).kind).toBe('held');
    expect((await lock('tcp:10.0.0.6:20007', world)).kind).toBe('held');
    expect((await lock('tcp:localhost:20007', world)).kind).toBe('held');
  });

  it('what nobody can look up is not locked by its name alone, and does not stop for ever', async () => {
    const unknown = await lock('tcp:terminal.nowhere:20007', world);
    expect(unknown).toEqual({ kind: 'unreachable', message: expect.stringMatching(/terminal\.nowhere/) });
    const clock = createVirtualClock();
    const deaf: Network = { ownAddresses: () => [], lookup: () => new Promise(() => {}) };
    const waiting = lockLine('tcp:terminal:20007', {
      place: { kind: 'folder', folder },
      dataFolder: '/data',
      ports: [],
      network: deaf,
      clock,
    });
    await clock.advance(5_000);
    expect(await waiting).toMatchObject({ kind: 'unreachable' });
    expect(clock.waiting).toBe(0);
  });

  it('the names themselves', async () => {
    expect(await tcpLockNames('tcp:terminal.shop.example:20007', world)).toEqual([
      'tcp:[fd00::5]:20007',
      'tcp:10.0.0.5:20007',
    ]);
    expect(await tcpLockNames('tcp:mycomputer:80', world)).toEqual(['tcp:127.0.0.1:80']);
  });
});
