/** `tillbridge resolve`: a named person's decision on an operation in doubt. */
import { Option } from 'commander';
import { createResolver, type InDoubtView } from '../../bridge/payments/index.ts';
import { resolutionSchema, type Resolution } from '../../contract/operation.ts';
import { describeOperation } from '../journal-event-messages.ts';
import { doubtItems } from '../open-items.ts';
import { onDataDir, withDataDir, withSimulatorFlag, type DataDirOptions, type AddCommand } from './shared.ts';
import { carryOutDecision, type Decision } from '../decision.ts';
import type { CliContext } from '../cli-context.ts';

interface ResolveOptions extends DataDirOptions {
  simulator?: true;
  outcome: Resolution;
  by: string;
  reason: string;
  terminalUnreachable?: true;
}

export const addResolveCommand: AddCommand = (program, context, runAction) => {
  withSimulatorFlag(withDataDir(program.command('resolve'), context))
    .summary('Decide an operation in doubt.')
    .description(
      'Decides an operation that is in doubt, by the word of a person who has looked (at the terminal’s own journal, at ' +
        'the acquirer’s). The name and the reason are kept. Works while the bridge runs and while it does not. A ' +
        'terminal that is still at work could end the operation otherwise than you say: so it has to have been seen ' +
        'idle since the doubt began, or you state that it cannot be reached.',
    )
    .argument(
      '<OPERATION>',
      'The operation’s id, or the payment’s reference if only one operation in doubt has it.',
    )
    .addOption(
      new Option('--outcome <OUTCOME>', 'What happened: charged and not-charged are for payments.')
        .choices(resolutionSchema.options)
        .makeOptionMandatory(),
    )
    .requiredOption('--by <NAME>', 'Who decides.')
    .requiredOption('--reason <TEXT>', 'How that person knows.')
    .option(
      '--terminal-unreachable',
      'State that the terminal cannot be reached, so that nobody can wait until it is idle.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge resolve A-1001 --outcome charged --by "Ada Meier" --reason "on the terminal’s day list"',
    )
    .action((operation: string, options: ResolveOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) =>
          carryOutDecision(
            decision(operation, options, context),
            dataDir,
            options.simulator === true,
            context,
          ),
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
    none: (where) =>
      `No operation in doubt has the id or the reference "${operation}" in ${where}. See "tillbridge doubts".`,
    several: {
      title: `"${operation}" could be any of these; name the operation’s id:`,
      line: (doubt) => `${doubt.operationId}  ${describeOperation(doubt)}`,
    },
    request: (doubt) => ({ ask: 'resolve', ...request(doubt) }),
    accepted: 'resolved',
    write: (journal, doubt) => createResolver(journal, () => context.chance.uuid()).resolve(request(doubt)),
    done: (doubt) => `The ${describeOperation(doubt)} is decided: ${outcome}, by ${by.trim()}.`,
  };
}
