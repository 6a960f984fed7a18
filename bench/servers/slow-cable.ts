/**
 * A cable as slow as a real one: `slow-cable.ts PORT PORT BAUD` passes bytes between two serial ports, each after the
 * time that it takes on the wire, in both directions at once. A pseudo-terminal by itself takes any byte at once.
 */
import { createSerialLine, type LineConnection } from '../../src/bridge/lines/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { usualSerialSettings } from '../../src/contract/serial-settings.ts';

/** Start bit, eight data bits, two stop bits (8N2, as ZVT PA00P016 has it). */
const bitsOfAByte = 11;

const [first = '', second = '', baud] = process.argv.slice(2);
const byteMs = (bitsOfAByte * 1_000) / Number(baud);
const near = await open(first);
const far = await open(second);
pass(near, far);
pass(far, near);
process.on('disconnect', () => process.exit());
console.log('The cable is plugged in');

function open(path: string): Promise<LineConnection> {
  const settings = usualSerialSettings('zvt');
  return createSerialLine({ path, settings, clock: systemClock }).open(new AbortController().signal);
}

function pass(from: LineConnection, to: LineConnection): void {
  /** When the wire is free again. */
  let freeAtMs = 0;
  from.onData((bytes) => {
    const piece = Uint8Array.from(bytes);
    freeAtMs = Math.max(freeAtMs, performance.now()) + piece.length * byteMs;
    // Timers of the same length fire in order; a later piece is due later.
    setTimeout(() => to.write(piece), freeAtMs - performance.now());
  });
}
