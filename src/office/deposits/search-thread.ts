/** The thread on which money is looked for; money-search.ts starts it, and asks. */
import { parentPort, workerData } from 'node:worker_threads';
import packageFacts from '../../../package.json' with { type: 'json' };
import { findMoney, type FoundMoney, type LookRows } from './find-money.ts';
import type { FromThread, ThreadData, ToThread } from './money-search.ts';

if (parentPort === null) throw new Error('This is a thread of the office, and no program.');
const port = parentPort;
const { version } = workerData as ThreadData;
if (version !== packageFacts.version)
  throw new Error(
    `The office is of version ${version}, and ${packageFacts.version} was installed since. Start the office anew.`,
  );

const rows: LookRows = { batches: [], statements: [] };
let pieces: FoundMoney['pieces'] | null = null;

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'rows':
      for (const row of message.rows.batches ?? []) rows.batches.push(row);
      for (const row of message.rows.statements ?? []) rows.statements.push(row);
      return;
    case 'find': {
      const found = findMoney(message.head, rows);
      pieces = found.pieces;
      return answer({ kind: 'found', found: { message: found.message, accounts: found.accounts } });
    }
    case 'next': {
      const next = pieces?.next();
      return answer({ kind: 'piece', piece: next?.done === false ? next.value : null });
    }
  }
});

function answer(message: FromThread): void {
  port.postMessage(message);
}
