/** `tillbridge resolve`: a named person's decision on an operation in doubt. */
import { Option } from 'commander';
import { createResolver, type InDoubtView } from '../../bridge/payments/index.ts';
import { resolutionSchema, type Resolution } from '../../contract/operation.ts';
import { commandOn } from '../../host/index.ts';
import { describeOperation } from '../journal-event-text.ts';
import { doubtItems } from '../open-items.ts';
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
import type { CliContext } from '../cli-context.ts';

interface ResolveOptions extends DataDirOptions, JournalFlags {
  outcome: Resolution;
  by: string;
  reason: string;
  terminalUnreachable?: true;
}

export const addResolveCommand: AddCommand = (program, context, runAction) => {
  withJournalFlags(withDataDir(program.command('resolve'), context))
    .summary('Decide an operation in doubt.')
    .description(
      'Records how an operation in doubt ended, as decided by a person who has checked (the terminal’s own journal, the ' +
        'acquirer’s records). The name and the reason are kept. Works whether or not the bridge is running. A ' +
        'terminal that is still at work could end the operation differently: it must have been idle since then, or ' +
        'you state that it cannot be reached.',
    )
    .argument(
      '<OPERATION>',
      'The operation’s id, or the payment’s reference if it has only one operation in doubt.',
    )
    .addOption(
      new Option(
        '--outcome <OUTCOME>',
        'What happened: charged or not-charged (payment), voided or not-voided (void), closed or not-closed (batch).',
      )
        .choices(resolutionSchema.options)
        .makeOptionMandatory(),
    )
    .requiredOption('--by <NAME>', 'The name of the person who decides.')
    .requiredOption('--reason <TEXT>', 'How that person knows.')
    .option(
      '--terminal-unreachable',
      'State that the terminal cannot be reached: it is broken, gone or replaced. This is kept as well.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge resolve A-1001 --outcome charged --by "Ada Meier" --reason "on the terminal’s day list"',
    )
    .action((operation: string, options: ResolveOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) =>
          carryOutDecision(decision(operation, options, context), dataDir, journalChoice(options), context),
        ),
      ),
    );
};

function decision(operation: string, options: ResolveOptions, context: CliContext): Decision<InDoubtView> {
  const { outcome, by, reason } = options;
  const request = ({ operationId }: InDoubtView) => ({
    operationId,
    resolution: outcome,
    by,
    reason,
    terminalUnreachable: options.terminalUnreachable === true,
  });
  return {
    source: doubtItems,
    fits: ({ operationId, reference }) => operationId === operation || reference === operation,
    none: (where, dataDir) =>
      `No operation in doubt has the id or the reference "${operation}" in ${where}. See "${commandOn(dataDir, 'doubts')}".`,
    several: {
      title: `"${operation}" matches several operations; use the operation’s id:`,
      line: (doubt) => `${doubt.operationId}  ${describeOperation(doubt)}`,
    },
    request: (doubt) => ({ ask: 'resolve', ...request(doubt) }),
    accepted: 'resolved',
    write: (journal, doubt) => createResolver(journal, () => context.chance.uuid()).resolve(request(doubt)),
    done: (doubt) => `The ${describeOperation(doubt)} is decided: ${outcome}, by ${by.trim()}.`,
  };
}
