/** `tillbridge examine`: an examination for somebody's POS software. */
import path from 'node:path';
import { Option } from 'commander';
import { flagValues, withSettingFlags } from './setting-flags.ts';
import type { AddCommand } from './shared.ts';

const wanted = ['port', 'host', 'allowedHosts', 'allowedOrigins', 'currency'];

interface ExamineOptions {
  scenes?: string;
  press?: string;
  out?: string;
  json?: true;
  pace: number;
  limit: number;
  patience: number;
  quiet: number;
}

export const addExamineCommand: AddCommand = (program, context, runAction) => {
  const command = program
    .command('examine')
    .summary('Examine POS software: play what can happen to it, and say what it must not do.')
    .description(
      'Takes the place of the bridge on its port, over a terminal that only pretends. Asks for one payment after the other ' +
        'and plays a scene with each: approved, slow, answers lost, connection broken, unknown, in doubt until a person ' +
        'decides, busy, bridge restarted, declined, cancelled, another amount approved. Judges from the requests what the ' +
        'POS made of it, and exits with code 1 if there is something that it must not do, or a scene that was not played. ' +
        'Stop the bridge first, or give the POS another port.',
    );
  const number = (flag: string, meaning: string, fallback: number) =>
    new Option(`${flag} <NUMBER>`, meaning).argParser(Number).default(fallback);
  withSettingFlags(command, context, { isWanted: (key) => wanted.includes(key) })
    .option('--scenes <NAMES>', 'Only these, with commas between them: approved,lost (default: all)')
    .option(
      '--press <COMMAND>',
      'Run this for each payment instead of asking a person: it pays once, and ends. The variable TILLBRIDGE_ADDRESS ' +
        'tells it where the bridge is, TILLBRIDGE_SCENE which scene this is.',
    )
    .option('--out <FILE>', 'Write the report there as Markdown, with every request.')
    .option('--json', 'Print the report as one JSON object; what goes on is told on standard error.')
    .addOption(number('--pace', 'Factor of all times of the scenes.', 1))
    .addOption(
      number('--limit', 'Seconds until a scene ends in which nobody pays, or the POS comes to no end.', 300),
    )
    .addOption(
      number(
        '--patience',
        'Seconds after which a POS that has not asked again is taken to have given up.',
        60,
      ),
    )
    .addOption(number('--quiet', 'Seconds that a scene goes on when the POS knows the outcome.', 3))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge examine --port 8080 --out report.md\n' +
        '  $ tillbridge examine --scenes lost,unknown --press "python3 pay-once.py"',
    )
    .action((options: ExamineOptions & Record<string, unknown>) =>
      runAction(async () => {
        // Only here: the bridge takes longer to load than a frame to decode.
        const { runExamination } = await import('../run-examination.ts');
        const { scenes, press, out, json, pace, limit, patience, quiet } = options;
        return await runExamination(
          {
            flags: flagValues(options, command),
            scenes: scenes ?? null,
            press: press ?? null,
            file: out === undefined ? null : path.resolve(context.currentFolder, out),
            asJson: json === true,
            pace,
            limitS: limit,
            patienceS: patience,
            quietS: quiet,
          },
          context,
        );
      }),
    );
};
