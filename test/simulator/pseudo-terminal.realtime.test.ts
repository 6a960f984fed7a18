/** A pseudo-terminal that nobody reads. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createSerialLine } from '../../src/bridge/lines/index.ts';
import { openPseudoTerminal } from '../../src/simulator/index.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';

const settings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 } as const;
/** Much more than the system keeps for somebody who reads later. */
const size = 64 * 1024;

describe.skipIf(!needs('pseudo-terminals'))('a pseudo-terminal', () => {
  it('holds nobody up while nothing is read, and goes on once somebody reads', async () => {
    const terminal = await openPseudoTerminal(systemClock);
    const bytes = Buffer.alloc(size, 'ZVT');
    let written = false;
    terminal.stream.write(bytes, () => (written = true));
    // Time goes on: with a write that waits, this process would never get here.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toBe(false);
    const line = createSerialLine({ path: terminal.path, settings, clock: systemClock });
    const connection = await line.open(new AbortController().signal);
    const pieces: Uint8Array[] = [];
    connection.onData((piece) => void pieces.push(Uint8Array.from(piece)));
    await until(() => written);
    // What waited in the system when the port was opened was thrown away by whoever opened it.
    await until(() => Buffer.concat(pieces).length >= size / 2);
    expect(bytes.includes(Buffer.concat(pieces).subarray(0, 10_000))).toBe(true);
    await connection.close();
    terminal.close();
  });

  it('can be closed with a write under way', async () => {
    const terminal = await openPseudoTerminal(systemClock);
    terminal.stream.on('error', () => {});
    const ended = new Promise((resolve) => terminal.stream.once('close', resolve));
    terminal.stream.write(Buffer.alloc(size));
    terminal.close();
    await ended;
    // Nothing is written to a descriptor that is another file's by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(terminal.stream.destroyed).toBe(true);
  });
});
