/** A terminal for the maker's own SDK, on a pseudo-terminal. */
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/log/index.ts';
import { serveSimulatorOnPseudoTerminal } from '../../src/simulator/index.ts';
import { createTransbankSimulator } from '../../src/simulator/transbank/transbank-simulator.ts';

/** The SDK tells ACK and frames apart by pauses of 100 ms, so this terminal takes a long time between any two of them. */
const pauseMs = 600;

export function serveTerminalForSdk(ledgerFile: string) {
  const simulator = createTransbankSimulator({
    ledgerFile,
    timeScale: 1,
    clock: systemClock,
    log: silentLog,
    timings: { startMs: pauseMs, cardMs: pauseMs, pinMs: pauseMs, hostMs: pauseMs },
  });
  return serveSimulatorOnPseudoTerminal(simulator, { clock: systemClock });
}
