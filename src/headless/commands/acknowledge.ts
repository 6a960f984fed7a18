/** `tillbridge acknowledge`: a named person has seen a discrepancy. */
import { acknowledge, type DiscrepancyView } from '../../bridge/payments/index.ts';
import type { AddCommand } from '../add-command.ts';
import { discrepancyWords } from '../fact-sentences.ts';
import { discrepancyItems } from '../open-items.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions } from '../shared-options.ts';
import { sayWord, type Word } from '../word-of-a-person.ts';

interface AcknowledgeOptions extends DataDirOptions {
  simulator?: true;
  by: string;
  reason: string;
}

export const addAcknowledgeCommand: AddCommand = (program, world, act) => {
  withSimulatorFlag(withDataDir(program.command('acknowledge'), world))
    .summary('Acknowledge a discrepancy.')
    .description(
      'Closes a discrepancy by the word of a person who has looked into it. It changes no payment: what has to be put ' +
        'right (a refund, a second look at the day’s list) is done by people. The name and the reason are kept. Works ' +
        'while the bridge runs and while it does not.',
    )
    .argument('<ID>', 'The discrepancy’s id, as "tillbridge discrepancies" lists it.')
    .requiredOption('--by <NAME>', 'Who has seen it.')
    .requiredOption('--reason <TEXT>', 'What it was, or what was done about it.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge acknowledge 01890a5d-ac96-774b-bcce-b302099a8057 --by "Ada Meier" --reason "refunded by hand"',
    )
    .action((id: string, options: AcknowledgeOptions) =>
      act(() =>
        onDataDir(options, world, (dataDir) =>
          sayWord(acknowledgement(id, options), dataDir, options.simulator === true, world),
        ),
      ),
    );
};

function acknowledgement(id: string, { by, reason }: AcknowledgeOptions): Word<DiscrepancyView> {
  const request = ({ discrepancyId }: DiscrepancyView) => ({ discrepancyId, by, reason });
  return {
    source: discrepancyItems,
    fits: ({ discrepancyId }) => discrepancyId === id.toLowerCase(),
    none: (where) => `No open discrepancy has the id "${id}" in ${where}. See "tillbridge discrepancies".`,
    several: {
      title: `"${id}" is in several journals; name one with --data-dir or --simulator:`,
      line: ({ discrepancyId, kind }) => `${discrepancyId}  ${discrepancyWords[kind]}`,
    },
    request: (discrepancy) => ({ ask: 'acknowledge', ...request(discrepancy) }),
    accepted: 'acknowledged',
    write: (journal, discrepancy) => acknowledge(journal, request(discrepancy)),
    done: ({ kind }) => `The discrepancy (${discrepancyWords[kind]}) is acknowledged by ${by.trim()}.`,
  };
}
