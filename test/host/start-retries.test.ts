/** What cannot be started is tried again for as long as it takes, with growing pauses, and the console says when. */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createStartRetries } from '../../src/host/start-retries.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { afterThisTest, isReady, newHost, type HostKit } from './host-kit.ts';

const minuteMs = 60_000;

/** Something other than a bridge on a port, which lets go of it when it is told to. */
async function otherProgram() {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const leave = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  afterThisTest(leave);
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, leave };
}

const listenersShown = (kit: HostKit) =>
  kit.changes.flatMap((change) => (change.kind === 'state' ? [change.state.listener.kind] : []));

describe('pauses', () => {
  it('grow up to five minutes and never end; after a success they begin anew', async () => {
    const clock = createVirtualClock();
    const pauses: number[] = [];
    let before = clock.elapsed();
    const retries = createStartRetries(clock, () => {
      pauses.push((clock.elapsed() - before) / 1_000);
      before = clock.elapsed();
      retries.failed();
    });
    retries.failed();
    expect(retries.nextTryAt).toBe(new Date(clock.now() + 2_000).toISOString());
    await clock.until(() => pauses.length === 11, 'eleven tries', 60 * minuteMs);
    expect(pauses).toEqual([2, 4, 8, 15, 30, 60, 120, 300, 300, 300, 300]);
    retries.over();
    expect(retries.nextTryAt).toBeNull();
    await clock.advance(10 * minuteMs);
    expect(pauses).toHaveLength(11);
    before = clock.elapsed();
    retries.failed();
    await clock.until(() => pauses.length === 12, 'a first pause');
    expect(pauses.at(-1)).toBe(2);
  });
});

describe('a listener whose port another program has', () => {
  it('opens by itself when that has gone, however late', async () => {
    const other = await otherProgram();
    const kit = newHost({ flags: { terminal: 'simulator', port: String(other.port) } });
    await kit.host.start();
    await isReady(kit);
    const before = new Date(kit.clock.now()).toISOString();
    const failed = kit.host.state().listener;
    expect(failed).toMatchObject({ kind: 'failed', code: 'port_in_use' });
    expect(failed.kind === 'failed' && (failed.nextTryAt ?? '') > before).toBe(true);
    await kit.clock.advance(20 * minuteMs);
    kit.changes.length = 0;
    await other.leave();
    await kit.state(({ listener }) => listener.kind === 'on', 'the open port');
    expect(listenersShown(kit)).not.toContain('starting');
    expect((await kit.till().query('NONE')).status).toBe(404);
  });

  it('is left alone once somebody has stopped it', async () => {
    const other = await otherProgram();
    const kit = newHost({ flags: { terminal: 'simulator', port: String(other.port) } });
    await kit.host.start();
    await isReady(kit);
    await kit.invoke('stopListener', {});
    await other.leave();
    await kit.clock.advance(20 * minuteMs);
    expect(kit.host.state().listener).toEqual({ kind: 'off' });
  });
});

describe('a bridge that cannot be started', () => {
  it.each([
    ['on the first start, too', {}, 'first_start'],
    ['with its terminal', { terminal: 'simulator' }, 'running'],
  ])('is tried again %s, for as long as it takes', async (_when, flags, then) => {
    const kit = newHost({ flags });
    // A file where a folder has to be stands for a disk that takes nothing.
    const inTheWay = path.join(kit.folder, then === 'running' ? 'simulator' : 'logs');
    writeFileSync(inTheWay, '');
    expect(await kit.host.start()).toMatchObject({ kind: 'failed', usage: false });
    expect(kit.host.state().bridge).toMatchObject({ kind: 'failed', nextTryAt: expect.any(String) });
    await kit.clock.advance(20 * minuteMs);
    const { bridge } = kit.host.state();
    const nextMs = bridge.kind === 'failed' ? Date.parse(bridge.nextTryAt ?? '') : 0;
    expect(nextMs - kit.clock.now()).toBeGreaterThan(0);
    rmSync(inTheWay);
    await kit.state(({ bridge }) => bridge.kind === then, 'the start');
    expect(kit.host.state().bridge).toEqual({ kind: then });
  });

  it('waits for a person where the settings are wrong', async () => {
    const kit = newHost({ flags: { terminal: 'nonsense' } });
    expect(await kit.host.start()).toMatchObject({ kind: 'failed', usage: true });
    expect(kit.host.state().bridge).not.toHaveProperty('nextTryAt');
  });

  it('waits for a person where a newer version has written its journal', async () => {
    const kit = newHost({ flags: { terminal: 'simulator' } });
    await kit.host.start();
    await kit.host.stop();
    const database = new DatabaseSync(path.join(kit.folder, 'simulator', 'journal.sqlite'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const later = newHost({ folder: kit.folder, flags: { terminal: 'simulator' } });
    expect(await later.host.start()).toMatchObject({
      kind: 'failed',
      messages: [expect.stringContaining('written by a newer Tillbridge')],
    });
    expect(later.host.state().bridge).not.toHaveProperty('nextTryAt');
    later.changes.length = 0;
    await later.clock.advance(20 * minuteMs);
    const shown = later.changes.flatMap((change) =>
      change.kind === 'state' ? [change.state.bridge.kind] : [],
    );
    expect(shown).not.toContain('starting');
  });

  it('is not tried again once the host stops', async () => {
    const kit = newHost({ flags: { terminal: 'simulator' } });
    const inTheWay = path.join(kit.folder, 'simulator');
    writeFileSync(inTheWay, '');
    await kit.host.start();
    await kit.host.stop();
    rmSync(inTheWay);
    await kit.clock.advance(20 * minuteMs);
    expect(kit.host.bridge).toBeNull();
  });
});
