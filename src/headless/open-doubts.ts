/** What is in doubt in one journal: asked of the bridge that runs on it, or read when none does. */
import { openJournalReadOnly } from '../bridge/journal/index.ts';
import { listDoubts, type DoubtView } from '../bridge/payments/index.ts';
import type { Clock } from '../contract/clock.ts';
import { askBridge } from '../host/control/client.ts';
import type { JournalPlace } from '../host/journal-places.ts';

export type OpenDoubts =
  { ok: true; bridge: 'running' | 'stopped'; doubts: DoubtView[] } | { ok: false; message: string };

export async function readDoubts({ folder }: JournalPlace, clock: Clock): Promise<OpenDoubts> {
  const reply = await askBridge(folder, { ask: 'doubts' }, clock);
  switch (reply.kind) {
    case 'answered':
      return reply.answer.answer === 'doubts'
        ? { ok: true, bridge: 'running', doubts: reply.answer.doubts }
        : {
            ok: false,
            message:
              reply.answer.answer === 'refused'
                ? reply.answer.message
                : 'The bridge answered something else.',
          };
    case 'failed':
      return { ok: false, message: reply.message };
    case 'no_bridge': {
      const opened = openJournalReadOnly(folder);
      if (opened.kind !== 'opened') return { ok: false, message: opened.message };
      try {
        return { ok: true, bridge: 'stopped', doubts: listDoubts(opened.journal) };
      } finally {
        opened.journal.close();
      }
    }
  }
}
