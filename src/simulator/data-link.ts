/** The terminal's end of one connection: brings APDUs there and back, by the rules of the line. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import type { SimulatorTimings } from './simulated-terminal.ts';
import { createTcpParser } from '../bridge/terminals/zvt/wire/index.ts';
import { createOutput, type Noise } from './output.ts';

/** `delivered`: the other side has it (serial: ACK, or its answer). `failed`: it surely has no good copy, or we cannot know. */
export type Delivery = 'delivered' | 'failed';

export interface DataLink {
  /**
   * Sends one APDU, after those that are waiting. `done` is called once, at the very moment that decides, unless the
   * data link ends before.
   */
  transmit(apdu: Uint8Array, done: (delivery: Delivery) => void): void;
  /** Bytes from the line, in any pieces. */
  receive(bytes: Uint8Array): void;
  /** From now on the line is noisy; null makes it clean again. */
  disturb(noise: Noise | null): void;
  /** Forgets everything; nothing is written and nobody is called any more. */
  end(): void;
}

export interface DataLinkOptions {
  write(bytes: Uint8Array): void;
  /** A whole, new, undamaged APDU; on a serial line it has been acknowledged. */
  onApdu(apdu: Uint8Array): void;
  /** Serial: whether a good frame gets ACK, or NAK as if it had been damaged (then it was never received). */
  acceptFrame(apdu: Uint8Array): boolean;
  /** The stream cannot be trusted any more (TCP only). */
  onBroken(reason: string): void;
  clock: Clock;
  timings: SimulatorTimings;
  log: Log;
}

/** 80 xx and 84 xx answer a command; everything else is a command (ZVT PA00P016). */
export function isAnswer(apdu: Uint8Array): boolean {
  return apdu[0] === 0x80 || apdu[0] === 0x84;
}

/** The TCP data link (ZVT PA00P016): bare APDUs on the stream, no checksums, no ACK or NAK, no repeats. */
export function createTcpDataLink(options: DataLinkOptions): DataLink {
  const parser = createTcpParser();
  const output = createOutput(options.clock, options.timings.pieceGapMs, (bytes) => options.write(bytes));
  let ended = false;

  return {
    transmit(apdu, done) {
      output.put(apdu, () => {
        if (!ended) done('delivered');
      });
    },
    receive(bytes) {
      for (const event of parser.push(bytes)) {
        if (ended) return;
        if (event.kind === 'apdu') options.onApdu(event.apdu);
        if (event.kind === 'damaged') options.onBroken(event.reason);
      }
    },
    disturb(noise) {
      output.pieceBytes = noise?.pieceBytes ?? null;
    },
    end() {
      ended = true;
      output.end();
    },
  };
}
