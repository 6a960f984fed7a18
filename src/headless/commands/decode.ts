/** `tillbridge decode`: what a frame says. */
import { Argument, Option } from 'commander';
import { zvtSettingsSchema } from '../../contract/configuration.ts';
import { protocolNameSchema, type ProtocolName } from '../../contract/terminal.ts';
import { decodeHex } from '../../bridge/terminals/zvt/wire/index.ts';
import { exitFailed, exitOk, oneLine } from '../cli-context.ts';
import type { AddCommand } from './shared.ts';

const encodings = zvtSettingsSchema.shape.textEncoding.unwrap();

export const addDecodeCommand: AddCommand = (program, context, runAction) => {
  program
    .command('decode')
    .summary('Decode a frame of a terminal’s protocol to JSON.')
    .description(
      'Prints the content of the frame as one JSON object. Card numbers are masked. For a damaged frame, prints an ' +
        'error to standard error and exits with code 1.',
    )
    .addArgument(new Argument('<protocol>', 'The protocol.').choices(protocolNameSchema.options))
    .addArgument(new Argument('<hex...>', 'The bytes in hex digits; spaces are ignored.'))
    .option('--apdu', 'The bytes are a bare APDU, as on TCP, without the framing of a serial line.')
    .addOption(
      new Option('--encoding <NAME>', 'The character set of texts where the bytes do not say.')
        .choices(encodings.options)
        .default(encodings.parse('cp437')),
    )
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge decode zvt 1002060006123456ba0978100324c3\n' +
        '  $ tillbridge decode zvt --apdu 06 01 07 04 00 00 00 00 12 00',
    )
    .action((protocol: ProtocolName, hex: string[], options: { apdu?: true; encoding: string }) =>
      runAction(() => {
        void protocol; // The only one so far, and commander has checked it.
        const decoded = decodeHex(hex.join(''), {
          framing: options.apdu === true ? 'apdu' : 'serial',
          encoding: encodings.parse(options.encoding),
        });
        if (!decoded.ok) {
          context.error(oneLine(`This is not a valid frame: ${decoded.error}`));
          return exitFailed;
        }
        context.stdoutExact(JSON.stringify(decoded.decoded));
        return exitOk;
      }),
    );
};
