/** `tillbridge discrepancies`: what terminal and journal disagree about, and nobody has acknowledged yet. */
import type { DiscrepancyView } from '../../bridge/payments/index.ts';
import { discrepancyHold } from '../../contract/discrepancy.ts';
import { formatAmount } from '../../contract/money.ts';
import { commandOn, type JournalLocation } from '../../host/index.ts';
import { discrepancyTitles, describeRecord } from '../journal-event-text.ts';
import { discrepancyItems, listOpenItems, type ItemKind } from '../open-items.ts';
import { oneLine } from '../cli-context.ts';
import {
  journalChoice,
  onDataDir,
  withDataDir,
  withJournalFlags,
  type AddCommand,
  type DataDirOptions,
  type JournalFlags,
} from './shared.ts';

interface DiscrepanciesOptions extends DataDirOptions, JournalFlags {
  json?: true;
}

export const addDiscrepanciesCommand: AddCommand = (program, context, runAction) => {
  withJournalFlags(withDataDir(program.command('discrepancies'), context))
    .summary('List what the terminal and the journal disagree about.')
    .description(
      'Lists the open discrepancies: the terminal and the journal disagree, and someone has to look into it. Each ' +
        'stays open until a named person acknowledges it. Works whether or not the bridge is running.',
    )
    .option('--json', 'Print one JSON object instead.')
    .addHelpText('after', '\nExample:\n  $ tillbridge discrepancies\n  $ tillbridge acknowledge ID --by …')
    .action((options: DiscrepanciesOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) =>
          listOpenItems(discrepancies, dataDir, journalChoice(options), options.json === true, context),
        ),
      ),
    );
};

const discrepancies: ItemKind<DiscrepancyView> = {
  ...discrepancyItems,
  count({ length }) {
    if (length === 0) return 'no discrepancy is open.';
    return `${length} ${length === 1 ? 'discrepancy is' : 'discrepancies are'} open.`;
  },
  describe,
};

function describe(
  discrepancy: DiscrepancyView,
  _bridge: 'running' | 'stopped',
  { dataDir }: JournalLocation,
): string {
  const { discrepancyId, foundAt, message, references, record } = discrepancy;
  const holds = describeHold(discrepancy);
  return [
    `  ${discrepancyTitles[discrepancy.kind]}, found ${foundAt}`,
    `    id:        ${discrepancyId}`,
    `    what:      ${message}`,
    ...(references.length === 0 ? [] : [`    payments:  ${references.join(', ')}`]),
    ...(record === null ? [] : [`    terminal:  ${describeRecord(record)}`]),
    ...(holds === null ? [] : [`    meanwhile: ${holds}`]),
    '    to acknowledge:',
    `      ${commandOn(dataDir, `acknowledge ${discrepancyId}`)} --by NAME --reason TEXT`,
  ]
    .map(oneLine)
    .join('\n');
}

/** What does not start while it is open. */
function describeHold({ kind, amountMinor, currency }: DiscrepancyView): string | null {
  switch (discrepancyHold[kind]) {
    case 'nothing':
      return null;
    case 'sales':
      return 'no payments are possible';
    case 'same_amount':
      return amountMinor === null || currency === null
        ? null
        : `no payment of exactly ${formatAmount(amountMinor, currency)} ${currency} is possible`;
  }
}
