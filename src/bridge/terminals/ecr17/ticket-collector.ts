/** The parts of tickets that come around the answer to a command. No part says whether another one follows. */
import type { Clock } from '../../../base/clock.ts';

/** So long the first part, or the next of a ticket that has begun, is waited for. */
const partGapMs = 2_000;
/** So long another ticket is waited for behind one that has ended, where there may be one. */
const ticketGapMs = 1_000;
/** Far more than two tickets have. */
const maxParts = 200;

export interface TicketCollector {
  /** A command goes out: what came before is nobody's. */
  begin(): void;
  take(part: { text: string; endsTicket: boolean }): void;
  /** What has come since. */
  readonly parts: readonly string[];
  /** Resolves when `tickets` have come, or no more seem to come. */
  whole(tickets: number): Promise<void>;
}

export function createTicketCollector(clock: Pick<Clock, 'after'>): TicketCollector {
  let parts: string[] = [];
  let ended = 0;
  let isInside = false;
  let onPart = () => {};

  return {
    begin() {
      parts = [];
      ended = 0;
      isInside = false;
    },
    take({ text, endsTicket }) {
      if (parts.length < maxParts) parts.push(text);
      isInside = !endsTicket;
      if (endsTicket) ended += 1;
      onPart();
    },
    get parts() {
      return parts;
    },
    whole(tickets) {
      return new Promise((resolve) => {
        let cancel = () => {};
        const done = () => {
          cancel();
          onPart = () => {};
          resolve();
        };
        const wait = () => {
          cancel();
          if (ended >= tickets && !isInside) return done();
          cancel = clock.after(isInside || ended === 0 ? partGapMs : ticketGapMs, done);
        };
        onPart = wait;
        wait();
      });
    },
  };
}
