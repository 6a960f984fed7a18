/** The thread of the search, which stands still before it begins until a test lets it go on. */
import { workerData } from 'node:worker_threads';
import { gateStates } from './held-gate.ts';

const { gate } = workerData as { gate: Int32Array };

Atomics.compareExchange(gate, 0, gateStates.shut, gateStates.reached);
// As while it computes, nothing reaches it meanwhile; what it is sent waits.
Atomics.wait(gate, 0, gateStates.reached);
await import('../../../src/office/deposits/search-thread.ts');
