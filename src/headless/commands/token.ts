/** `tillbridge token`: which POS software may call, once not everybody may. */
import path from 'node:path';
import { createToken, listTokens, removeToken } from '../../bridge/listener/index.ts';
import { onDataDir, withDataDir, type DataDirOptions, type AddCommand } from './shared.ts';
import { exitFailed, exitOk } from '../cli-context.ts';

const anybodyMayCall = 'There are no tokens: any program on this computer can send payments.';

const createExample = '\nExample:\n  $ tillbridge token create till-1';

export const addTokenCommand: AddCommand = (program, context, runAction) => {
  const token = program
    .command('token')
    .summary('Create, list and remove POS tokens.')
    .description(
      'Without tokens, any program on this computer can send payments. Once there is one, every command, /events and ' +
        '/metrics need "Authorization: Bearer TOKEN". A running bridge follows changes at once.',
    )
    .addHelpText('after', createExample);

  withDataDir(token.command('create'), context)
    .description('Creates a token and prints it once; only its hash is kept.')
    .argument('<NAME>', 'A name for the program that will use it.')
    .addHelpText('after', createExample)
    .action((name: string, options: DataDirOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) => {
          const created = createToken(tokensFile(dataDir), name, context);
          if (!created.ok) {
            context.error(created.message);
            return exitFailed;
          }
          context.stdoutExact(created.token);
          context.error(`This is the token of ${name}. It cannot be shown again.`);
          return exitOk;
        }),
      ),
    );

  withDataDir(token.command('list'), context)
    .description('Lists the names of the tokens, and when they were created.')
    .addHelpText('after', '\nExample:\n  $ tillbridge token list')
    .action((options: DataDirOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) => {
          const listed = listTokens(tokensFile(dataDir));
          if (!listed.ok) {
            context.error(listed.message);
            return exitFailed;
          }
          if (listed.tokens.length === 0) context.stdout(anybodyMayCall);
          for (const { name, createdAt } of listed.tokens) context.stdout(`${name}  created ${createdAt}`);
          return exitOk;
        }),
      ),
    );

  withDataDir(token.command('remove'), context)
    .description('Removes a token. Without tokens, any program on this computer can send payments.')
    .argument('<NAME>', 'The name of the token.')
    .addHelpText('after', '\nExample:\n  $ tillbridge token remove till-1')
    .action((name: string, options: DataDirOptions) =>
      runAction(() =>
        onDataDir(options, context, (dataDir) => {
          const removed = removeToken(tokensFile(dataDir), name);
          if (!removed.ok) {
            context.error(removed.message);
            return exitFailed;
          }
          context.stdout(
            `The token of ${name} was removed.${removed.remaining === 0 ? ` ${anybodyMayCall}` : ''}`,
          );
          return exitOk;
        }),
      ),
    );
};

/** As `startBridge` names it. */
function tokensFile(dataDir: string): string {
  return path.join(dataDir, 'tokens.json');
}
