/** The TCP link (ZVT PA00P016): bare APDUs on the stream, no checksums, no ACK or NAK, no repeats. */
import { createTcpParser } from '../bridge/terminals/zvt/wire/index.ts';
import type { Link, LinkOptions } from './link.ts';
import { createOutput } from './output.ts';

export function createTcpLink(options: LinkOptions): Link {
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
