/** What there is to send: the bridge that runs, with its terminals and their journals. */
import { JournalWriteError } from '../../bridge/journal/index.ts';
import type { BridgeTerminal } from '../../bridge/bridge.ts';
import type { JournalName } from '../../contract/office.ts';
import type { BridgeSupervisor, RunningBridge } from '../bridge-supervisor.ts';

/** What runs, as the supervisor has it. */
export interface OfficeSource extends Pick<BridgeSupervisor, 'state'> {
  readonly listener: Pick<BridgeSupervisor['listener'], 'state'>;
  readonly running: {
    bridge: { readonly terminals: readonly SourceTerminal[] };
    terminals: readonly Pick<RunningBridge['terminals'][number], 'name' | 'folder'>[];
  } | null;
}

/** What is needed of a terminal. */
export type SourceTerminal = Pick<BridgeTerminal, 'name' | 'retired'> & {
  payments: Pick<BridgeTerminal['payments'], 'status' | 'salesHeld' | 'mayMissPayments' | 'subscribe'>;
  journal: Pick<NonNullable<BridgeTerminal['journal']>, 'lastSeq'> | null;
};

/** The journals of the bridge that runs which can be read; a damaged one has been set aside. */
export function journalsOf({ running }: OfficeSource) {
  return (running?.bridge.terminals ?? []).flatMap((terminal) => {
    const folder = running?.terminals.find(({ name }) => name === terminal.name)?.folder;
    if (terminal.journal === null || folder === undefined) return [];
    const { simulated } = terminal.payments.status().terminal;
    const name: JournalName = { terminal: terminal.name, simulated };
    return [{ journal: name, events: terminal.journal, folder, terminal }];
  });
}

/** Null: the journal cannot be read. */
export function lastSeqOf(journal: { lastSeq(): number }): number | null {
  try {
    return journal.lastSeq();
  } catch (error) {
    if (error instanceof JournalWriteError) return null;
    throw error;
  }
}
