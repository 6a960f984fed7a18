/** `tillbridge office archive` and `retention`: what works on the office's database itself. */
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import type { ArchiveFlags, OperationFlags } from '../office-operations.ts';
import type { RetentionFlags } from '../office-retention.ts';
import type { AddCommand } from './shared.ts';

export function addOfficeOperations(
  office: Command,
  context: CliContext,
  runAction: Parameters<AddCommand>[2],
  folder: string,
): void {
  const works = (command: Command) =>
    command
      .option('--database <URL>', 'The office’s PostgreSQL database; without it, PGlite in the data folder.')
      .option('--data-dir <DIR>', folder)
      .option('--by <NAME>', 'Whose word it is; the audit log has this name (default: administrator).')
      .option('--json', 'Print one JSON object instead.');
  /** `office` itself has these options as well, and commander gives them to that one. */
  const withOwn = <T extends OperationFlags>(flags: T): T => {
    const { database, dataDir } = { ...office.opts<OperationFlags>(), ...flags };
    return {
      ...flags,
      ...(database === undefined ? {} : { database }),
      ...(dataDir === undefined ? {} : { dataDir }),
    };
  };

  works(office.command('archive'))
    .summary('Take old days out of the database into files, or read them again.')
    .description(
      'Takes the events that arrived before a day, and the payments of the days before it, out of the database, each day into ' +
        'a packed CSV file with its hash in a manifest. What is not done stays. With PGlite, stop the office first.',
    )
    .option('--before <DATE>', 'Days before this one, which has to be 31 days ago at least.')
    .option('--folder <FOLDER>', 'Where the files go; the same folder each time.')
    .option('--restore <FOLDER>', 'Read the days in this folder into the database again.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office archive --before 2026-01-01 --folder /srv/office-archive\n' +
        '  $ tillbridge office archive --restore /srv/office-archive',
    )
    .action((flags: ArchiveFlags) =>
      runAction(async () => {
        const { archiveDays } = await import('../office-operations.ts');
        return await archiveDays(withOwn(flags), context);
      }),
    );

  works(office.command('retention'))
    .summary('Show what the office keeps no longer, or delete it.')
    .description(
      'The file "retention.json" in the data folder says for how many days events, payments, bank statements, the audit log ' +
        'and what is done are kept: {"events": 400, "payments": 3650, "statements": 800, "audit": 1100, "done": 400}. What is ' +
        'not named is kept, and so is what waits for a person.',
    )
    .option('--settings <FILE>', 'Another file than that.')
    .option('--delete', 'Delete it; --by says who does.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office retention\n  $ tillbridge office retention --delete --by "Ada Meyer"',
    )
    .action((flags: RetentionFlags) =>
      runAction(async () => {
        const { retention } = await import('../office-retention.ts');
        return await retention(withOwn(flags), context);
      }),
    );
}
