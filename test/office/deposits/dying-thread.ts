/** A thread that ends when it is to search. */
import { parentPort } from 'node:worker_threads';
import type { ToThread } from '../../../src/office/deposits/money-search.ts';

parentPort?.on('message', ({ kind }: ToThread) => {
  if (kind === 'find') process.exit(3);
});
