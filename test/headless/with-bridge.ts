/** A bridge as far as the command line meets one: it holds the journal and serves the control channel. */
import { randomUUID } from 'node:crypto';
import { silentLog } from '../../src/log/index.ts';
import { acknowledge, createResolver } from '../../src/bridge/payments/index.ts';
import { serveControl } from '../../src/host/control/server.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { openTestJournal } from './seed-journal.ts';

/** `asked` gets what the bridge was asked to write. */
export async function withBridge(
  folder: string,
  act: () => Promise<void>,
  asked: unknown[] = [],
): Promise<void> {
  const held = openTestJournal(folder);
  const resolver = createResolver(held, randomUUID);
  const control = await serveControl({
    folder,
    chance: seededChance(createVirtualClock()),
    payments: {
      operationsInDoubt: () => resolver.operationsInDoubt(),
      checkTerminal() {
        asked.push('check');
        return Promise.resolve({ kind: 'silent' as const, text: 'The terminal does not answer: no reply.' });
      },
      resolve(request) {
        asked.push(request);
        return resolver.resolve(request);
      },
      discrepancies: (after) => held.openDiscrepancies(1_000, after),
      acknowledge(request) {
        asked.push(request);
        return acknowledge(held, request);
      },
      status: () => ({
        terminal: {
          connection: 'ready' as const,
          text: '',
          line: '',
          terminal: null,
          simulated: false,
          progress: null,
          progressStep: null,
        },
        journal: { writable: true, text: '' },
        inDoubt: 0,
        discrepancies: held.openDiscrepancyCount(),
        currentOperation: null,
      }),
    },
    consoleLinks: () => null,
    saveSupportBundle: () => Promise.resolve('/data/tillbridge-support.zip'),
    version: '0.0.0',
    log: silentLog,
  });
  try {
    await act();
  } finally {
    await control.close();
    held.close();
  }
}
