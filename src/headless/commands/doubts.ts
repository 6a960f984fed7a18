/** `tillbridge doubts`: what nobody can tell yet, with its evidence. */
import type { InDoubtView } from '../../bridge/payments/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { JournalLocation } from '../../host/index.ts';
import { eventMessage, describeOperation } from '../journal-event-text.ts';
import { discrepancyItems, doubtItems, listOpenItems, readOpenItems, type ItemKind } from '../open-items.ts';
import { oneLine } from '../cli-context.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions, type AddCommand } from './shared.ts';

interface DoubtsOptions extends DataDirOptions {
  simulator?: true;
  json?: true;
}

export const addDoubtsCommand: AddCommand = (program, context, runAction) => {
  withSimulatorFlag(withDataDir(program.command('doubts'), context))
    .summary('List the operations in doubt with their evidence.')
    .description(
      'Lists the operations in doubt: they were started, and nobody can tell yet how they ended. Each is shown with its ' +
        'evidence and with what a person may decide. Works whether or not the bridge is running.',
    )
    .option('--json', 'Print one JSON object instead.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge doubts\n  $ tillbridge resolve A-1001 --outcome charged …',
    )
    .action((options: DoubtsOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) => listOpenItems(doubts, dataDir, options, context)),
      ),
    );
};

const doubts: ItemKind<InDoubtView> = {
  ...doubtItems,
  count({ length }) {
    if (length === 0) return 'nothing is in doubt.';
    return `${length} ${length === 1 ? 'operation is' : 'operations are'} in doubt.`;
  },
  describe: describeDoubt,
  beside: openDiscrepancies,
};

function describeDoubt(doubt: InDoubtView, bridge: 'running' | 'stopped'): string {
  const outcomes = doubt.resolutions.join('|');
  const state = doubt.needsDecision
    ? 'a person must decide'
    : `the bridge asks the terminal ${bridge === 'running' ? 'as soon as it can' : 'when it is restarted'}`;
  return [
    `  ${describeOperation(doubt)}, started ${doubt.startedAt}`,
    `    operation: ${doubt.operationId}`,
    ...(doubt.reason === '' ? [] : [`    why:       ${doubt.reason}`]),
    `    now:       ${state}`,
    '    evidence:',
    ...doubt.facts.map(({ at, event }) => `      ${at}  ${eventMessage(event)}`),
    doubt.terminalSeenIdle
      ? '    to decide:'
      : '    to decide, once the terminal has been seen idle; with --terminal-unreachable if it cannot be reached:',
    `      tillbridge resolve ${doubt.operationId} --outcome ${outcomes} --by NAME --reason TEXT`,
  ]
    .map(oneLine)
    .join('\n');
}

/** Whoever looks for what is open must not take "nothing is in doubt" for all of it. */
async function openDiscrepancies(place: JournalLocation, clock: Clock): Promise<string | null> {
  const found = await readOpenItems(place, discrepancyItems, clock);
  if (!found.ok || found.items.length === 0) return null;
  const { length } = found.items;
  return `  ${length} ${length === 1 ? 'discrepancy is' : 'discrepancies are'} open as well: see "tillbridge discrepancies".`;
}
