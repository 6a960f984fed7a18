/** `tillbridge decode`: what a frame says. */
import path from 'node:path';
import { Argument, Option } from 'commander';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile } from '../../base/private-files.ts';
import { zvtSettingsSchema } from '../../contract/configuration.ts';
import { protocolNames, protocolOf, type ProtocolName } from '../../contract/protocols.ts';
import { readHex, type FrameDecoder } from '../../bridge/terminals/framing/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from '../cli-context.ts';
import type { AddCommand } from './shared.ts';

/** There may be more of them than terminals that the bridge can drive. */
const decoded = protocolNames.flatMap((name) => {
  const { decode } = protocolOf(name);
  return decode === undefined ? [] : [{ name, ...decode }];
});

/** Only the one that is asked for is loaded. */
async function loadDecoder(name: ProtocolName): Promise<FrameDecoder> {
  // By convention, as drivers are.
  const { decoder } = (await import(`../../bridge/terminals/${name}/wire/index.ts`)) as {
    decoder: FrameDecoder;
  };
  return decoder;
}

const encodings = zvtSettingsSchema.shape.textEncoding.unwrap();

interface DecodeFlags {
  framing?: string;
  profile?: string;
  apdu?: true;
  encoding: string;
  key?: string;
}

/** The longest file with keys: a captured answer to a sign-in has 2 kB. */
const maxKeyFileBytes = 65_536;

export const addDecodeCommand: AddCommand = (program, context, runAction) => {
  const command = program
    .command('decode')
    .summary('Decode a frame of a terminal’s protocol to JSON.')
    .description(
      'Prints the content of the frame as one JSON object. Card numbers are masked. For a damaged frame, prints an ' +
        'error to standard error and exits with code 1.',
    )
    .addArgument(new Argument('<protocol>', 'The protocol.').choices(decoded.map(({ name }) => name)))
    .addArgument(new Argument('<hex...>', 'The bytes in hex digits; spaces are ignored.'))
    .option(
      '--framing <NAME>',
      `What the bytes are, the first where nothing is said: ${listed(({ framings }) => framings)}.`,
    )
    .option('--apdu', 'The same as --framing apdu: a bare APDU, as on TCP.')
    .addOption(
      new Option('--encoding <NAME>', 'ZVT: the character set of texts where the bytes do not say.')
        .choices(encodings.options)
        .default(encodings.parse('cp437')),
    )
    .option(
      '--key <FILE>',
      'KPay: check and make signatures with the keys in this file, which is the answer to a sign-in or one key.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge decode zvt 1002060006123456ba0978100324c3\n' +
        '  $ tillbridge decode zvt --apdu 06 01 07 04 00 00 00 00 12 00',
    )
    .action((protocol: ProtocolName, hex: string[], flags: DecodeFlags) =>
      runAction(async () => {
        const decoder = await loadDecoder(protocol);
        const asked = flags.framing ?? (flags.apdu === true ? 'apdu' : undefined);
        const error =
          wrongChoice('--framing', asked, protocol, decoder.framings) ??
          wrongChoice('--profile', flags.profile, protocol, decoder.profiles ?? []);
        if (error !== null) {
          context.error(oneLine(error));
          return exitUsage;
        }
        const keys = flags.key === undefined ? undefined : keyFileText(context, flags.key);
        if (keys === null) return exitFailed;
        const read = readHex(hex.join(''));
        const decoded = read.ok
          ? decoder.decode(read.bytes, {
              framing: asked ?? decoder.framings[0],
              profile: flags.profile,
              encoding: flags.encoding,
              keys,
            })
          : read;
        if (!decoded.ok) {
          context.error(oneLine(`This is not a valid frame: ${decoded.error}`));
          return exitFailed;
        }
        context.stdoutExact(JSON.stringify(decoded.decoded));
        return exitOk;
      }),
    );
  const profiles = listed((one) => one.profiles ?? []);
  if (profiles !== '') command.option('--profile <NAME>', `The dialect: ${profiles}.`);
};

/** Null: it cannot be read, and the user knows. */
function keyFileText(context: CliContext, file: string): string | null {
  try {
    return readPlainFile(path.resolve(context.currentFolder, file), { maxBytes: maxKeyFileBytes }).toString();
  } catch (error) {
    context.error(oneLine(`--key cannot be read: ${errorText(error)}`));
    return null;
  }
}

/** `zvt: serial, apdu; …`, for the help. */
function listed(choicesOf: (one: (typeof decoded)[number]) => readonly string[]): string {
  return decoded
    .filter((one) => choicesOf(one).length > 0)
    .map((one) => `${one.name}: ${choicesOf(one).join(', ')}`)
    .join('; ');
}

function wrongChoice(
  flag: string,
  value: string | undefined,
  protocol: string,
  choices: readonly string[],
): string | null {
  if (value === undefined || choices.includes(value)) return null;
  return choices.length === 0
    ? `${flag} is not for ${protocol}.`
    : `${flag} must be one of ${choices.join(', ')} for ${protocol}.`;
}
