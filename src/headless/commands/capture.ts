/** `tillbridge capture`: records the line between a till and its terminal, from the middle. */
import path from 'node:path';
import { hasLine, protocolNames } from '../../contract/protocols.ts';
import { flagValues, withSettingFlags } from './setting-flags.ts';
import type { AddCommand } from './shared.ts';

const wanted = /^(?:terminal|protocol|currency|serial\..+)$/;
const keysOf = (names: readonly string[]) => new RegExp(`^(?:${names.join('|')})\\.`);
const ofProtocol = keysOf(protocolNames);
const recorded = protocolNames.filter(hasLine);
const ofRecorded = keysOf(recorded);
const meanings = {
  terminal: 'The card terminal: serial:PATH or tcp:HOST:PORT.',
  protocol: `The protocol that the terminal speaks. (one of ${recorded.join(', ')}; default zvt)`,
};

export const addCaptureCommand: AddCommand = (program, context, runAction) => {
  const command = program
    .command('capture')
    .summary('Record the line between a till and its terminal.')
    .description(
      'Stands between a till (any program, or a bridge) and its terminal: the till connects to this computer instead of ' +
        'the terminal. Every byte goes on unchanged, both ways, and every message is written down with its time; card ' +
        'numbers, expiry dates, names and passwords are masked before they are written. Ctrl-C ends it. What is in the ' +
        'file before stays; "tillbridge replay" plays it to this version. A bridge of ours records its own line ' +
        '(--capture), and then it is known what was asked of the terminal, too. That is also the way for terminals that ' +
        'take requests over HTTP (KPay), which this command does not record.',
    );
  withSettingFlags(command, context, {
    isWanted: (key) => wanted.test(key) || ofProtocol.test(key),
    isHidden: (key) => ofProtocol.test(key) && !ofRecorded.test(key),
    meanings,
  })
    .option(
      '--listen <TILL>',
      'Where the till connects: "tcp:PORT" (this computer only), "tcp:ADDRESS:PORT", "pty" (a port that is made for it; ' +
        'Linux, macOS) or "serial:PATH". If left out: a free port of this computer for a terminal on TCP, else "pty"; ' +
        'which one is printed.',
    )
    .requiredOption('--out <FILE>', 'The file to write, such as capture.jsonl.')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge capture --protocol zvt --terminal tcp:192.168.1.20:20007 --listen tcp:20007 --out capture.jsonl\n' +
        '  $ tillbridge capture --protocol transbank --terminal serial:/dev/ttyACM0 --listen pty --out capture.jsonl',
    )
    .action((options: Record<string, unknown> & { listen?: string; out: string }) =>
      runAction(async () => {
        // Only here: the drivers take longer to load than a frame to decode.
        const { runCapture } = await import('../run-capture.ts');
        const file = path.resolve(context.currentFolder, options.out);
        return await runCapture(
          { flags: flagValues(options, command), listen: options.listen ?? null, file },
          context,
        );
      }),
    );
};
