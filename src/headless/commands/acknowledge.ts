/** `tillbridge acknowledge`: a named person has seen a discrepancy. */
import { acknowledge, type DiscrepancyView } from '../../bridge/payments/index.ts';
import { commandOn } from '../../host/index.ts';
import { discrepancyTitles } from '../journal-event-text.ts';
import { discrepancyItems } from '../open-items.ts';
import {
  journalChoice,
  onDataDir,
  withDataDir,
  withJournalFlags,
  type AddCommand,
  type DataDirOptions,
  type JournalFlags,
} from './shared.ts';
import { carryOutDecision, type Decision } from '../person-decision.ts';

interface AcknowledgeOptions extends DataDirOptions, JournalFlags {
  by: string;
  reason: string;
}

export const addAcknowledgeCommand: AddCommand = (program, context, runAction) => {
  withJournalFlags(withDataDir(program.command('acknowledge'), context))
    .summary('Acknowledge a discrepancy.')
    .description(
      'Closes a discrepancy that someone has looked into. It changes no payment: whatever has to be corrected (a refund, ' +
        'for example) has to be done by hand. The name and the reason are kept. Works whether or not the bridge is ' +
        'running.',
    )
    .argument('<ID>', 'The discrepancy’s id, as "tillbridge discrepancies" lists it.')
    .requiredOption('--by <NAME>', 'The name of the person who has looked into it.')
    .requiredOption('--reason <TEXT>', 'What it was, or what was done about it.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge acknowledge 01890a5d-ac96-774b-bcce-b302099a8057 --by "Ada Meier" --reason "refunded by hand"',
    )
    .action((id: string, options: AcknowledgeOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) =>
          carryOutDecision(acknowledgement(id, options), dataDir, journalChoice(options), context),
        ),
      ),
    );
};

function acknowledgement(id: string, { by, reason }: AcknowledgeOptions): Decision<DiscrepancyView> {
  const request = ({ discrepancyId }: DiscrepancyView) => ({ discrepancyId, by, reason });
  return {
    source: discrepancyItems,
    fits: ({ discrepancyId }) => discrepancyId === id.toLowerCase(),
    none: (where, dataDir) =>
      `No open discrepancy has the id "${id}" in ${where}. See "${commandOn(dataDir, 'discrepancies')}".`,
    several: {
      title: `"${id}" is in several journals; choose one with --data-dir or --simulator:`,
      line: ({ discrepancyId, kind }) => `${discrepancyId}  ${discrepancyTitles[kind]}`,
    },
    request: (discrepancy) => ({ ask: 'acknowledge', ...request(discrepancy) }),
    accepted: 'acknowledged',
    write: (journal, discrepancy) => acknowledge(journal, request(discrepancy)),
    done: ({ kind }) => `The discrepancy (${discrepancyTitles[kind]}) was acknowledged by ${by.trim()}.`,
  };
}
