/** `tillbridge office deposits`, `office statements`: where the money of the closed batches is. */
import type { Command } from 'commander';
import type { DepositList } from '../../contract/office-deposits.ts';
import type { AddStatementFlags } from '../office-deposits.ts';
import type { AskFlags } from '../run-office.ts';
import type { CliContext } from '../cli-context.ts';
import type { RunAction } from './shared.ts';

export interface OfficeQuestions {
  /** Adds the options of every command that asks an office. */
  asks: (command: Command) => Command;
  /** Which office those options mean. */
  placeOf: (flags: AskFlags) => AskFlags;
  runAction: RunAction;
}

interface DepositFlags extends AskFlags {
  shop?: string;
  late?: true;
  simulator?: true;
}

interface UnsettleFlags extends AskFlags {
  acquirer?: string;
  entry?: string;
  merchant?: string;
  by: string;
  reason: string;
}

interface SettleFlags extends AskFlags {
  acquirer?: string;
  entry?: string[];
  merchant?: string;
  by: string;
  reason: string;
}

export function addDepositCommands(office: Command, context: CliContext, questions: OfficeQuestions): void {
  const { asks, placeOf, runAction } = questions;
  asks(office.command('deposits'))
    .description(
      'Lists whether the money of closed batches has come, what is late, and what nobody can explain.',
    )
    .option('--shop <SHOP>', 'Only batches of this shop, by its name or id.')
    .option('--late', 'Only what somebody should look at. The exit code is 1 when there is something.')
    .option('--simulator', 'Batches of simulated terminals instead of real ones.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office deposits --late\n  $ tillbridge office deposits --shop Berlin',
    )
    .action((flags: DepositFlags) =>
      runAction(async () => {
        const [{ askOffice }, { depositLines }] = await Promise.all([
          import('../run-office.ts'),
          import('../office-deposits.ts'),
        ]);
        const query = new URLSearchParams({
          ...(flags.shop === undefined ? {} : { shop: flags.shop }),
          late: String(flags.late === true),
          simulated: String(flags.simulator === true),
        });
        const isFine = ({ deposits: listed, entries }: DepositList) =>
          flags.late !== true || (listed.length === 0 && !entries.some(({ unexplained }) => unexplained));
        const question = { method: 'GET' as const, path: `/deposits?${query.toString()}` };
        return await askOffice(question, placeOf(flags), context, depositLines, isFine);
      }),
    );

  asks(office.command('settle'))
    .description(
      'Settles what was found: these entries are the batch’s money, or without entries nothing more will come. Without a ' +
        'batch, the entry is no batch’s money. "office unsettle" takes it back.',
    )
    .argument('[BATCHES...]', 'The ids of batches, as "office deposits" shows them.')
    .option('--acquirer <NAME>', 'Who pays, as in the rules; needed with a batch.')
    .option('--entry <ID...>', 'Entries of the account.')
    .option('--merchant <NAME>', 'Whose account the entry is in; needed without a batch.')
    .requiredOption('--by <NAME>', 'Who says so.')
    .requiredOption('--reason <TEXT>', 'Why.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge office settle 019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11 --acquirer Acme --by "Ada Meier" \\\n' +
        '      --reason "Acme wrote that it kept a chargeback"',
    )
    .action((batchIds: string[], flags: SettleFlags) =>
      runAction(async () => {
        const { askOffice } = await import('../run-office.ts');
        const { by, reason, acquirer, merchant, entry = [] } = flags;
        const word = { by, reason };
        const body =
          batchIds.length > 0
            ? { batchIds, acquirer, entryIds: entry, ...word }
            : { merchant, entryId: entry[0], ...word };
        const question = { method: 'POST' as const, path: '/deposits/settle', body };
        return await askOffice(question, placeOf(flags), context, () => ['It is settled.']);
      }),
    );

  asks(office.command('unsettle'))
    .description(
      'Takes back what somebody has settled, of a batch (with those that were settled together with it) or of an entry. It ' +
        'is looked for anew.',
    )
    .argument('[BATCH]', 'The id of the batch, as "office deposits" shows it.')
    .option('--acquirer <NAME>', 'Who pays, as in the rules; needed with a batch.')
    .option('--entry <ID>', 'An entry that somebody has said to be no batch’s money.')
    .option('--merchant <NAME>', 'Whose account the entry is in; needed without a batch.')
    .requiredOption('--by <NAME>', 'Who takes it back.')
    .requiredOption('--reason <TEXT>', 'Why.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge office unsettle 019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11 --acquirer Acme --by "Ada Meier" \\\n' +
        '      --reason "It was the batch of another day"',
    )
    .action((batchId: string | undefined, flags: UnsettleFlags) =>
      runAction(async () => {
        const { askOffice } = await import('../run-office.ts');
        const { by, reason, acquirer, merchant, entry } = flags;
        const word = { by, reason };
        const body =
          batchId === undefined ? { merchant, entryId: entry, ...word } : { batchId, acquirer, ...word };
        const question = { method: 'POST' as const, path: '/deposits/unsettle', body };
        const said = ['It is taken back, and looked for anew.'];
        return await askOffice(question, placeOf(flags), context, () => said);
      }),
    );

  const addExample = '\nExample:\n  $ tillbridge office statements add 2026-11-03.xml';
  const statements = office
    .command('statements')
    .description('Statements of a bank, from which is seen what has come.')
    .addHelpText('after', addExample);
  asks(statements.command('add'))
    .description('Hands in files of a bank (ISO 20022 camt.053). Each is kept once.')
    .argument('<FILES...>', 'The files, as the bank gives them.')
    .option('--corrects', 'They correct statements of days that they have all of, which count no more then.')
    .addHelpText('after', addExample)
    .action((files: string[], flags: AddStatementFlags) =>
      runAction(async () => {
        const { addStatements } = await import('../office-deposits.ts');
        return await addStatements(files, { ...flags, ...placeOf(flags) }, context);
      }),
    );
}
