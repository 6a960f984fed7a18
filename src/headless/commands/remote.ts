/** `tillbridge remote`: the remote treasury and compliance interface, from the command line. */
import type { RemoteFlags } from '../run-remote.ts';
import type { AddCommand } from './shared.ts';

export const addRemoteCommand: AddCommand = (program, context, runAction) => {
  program
    .command('remote')
    .summary('Call the remote treasury and compliance interface.')
    .description(
      'Carries out one operation and prints the response as JSON. Without an operation, lists those of the resource; ' +
        'without a resource, lists the resources.\n\n' +
        'The access token comes from the environment, never from the command line, which others on this computer can ' +
        'read: TILLBRIDGE_REMOTE_TOKEN, or TILLBRIDGE_REMOTE_CLIENT_ID and TILLBRIDGE_REMOTE_CLIENT_SECRET, with ' +
        'TILLBRIDGE_REMOTE_TOKEN_URL unless the service is a sandbox.',
    )
    .argument('[RESOURCE]', 'As in the list: account-holder-creation-intents.')
    .argument('[OPERATION]', 'create, confirm, retrieve, list, …')
    .argument('[ID]', 'The id of the record, for operations on one record.')
    .option(
      '--base-url <URL>',
      'Where the service is; ends with /v1. (default http://127.0.0.1:8090/v1, the sandbox) [TILLBRIDGE_REMOTE_URL]',
    )
    .option('--json <BODY>', 'The body, or @FILE. Secrets, such as a share token, belong in a file.')
    .option('--query <NAME=VALUE>', 'A query parameter; can be repeated.', gather, [])
    .option('--etag <ETAG>', 'The record’s etag, in its quotes: \'"abc"\'.')
    .option('--all', 'For a list: all pages, one record per line.')
    .option('--api-version <VERSION>', 'v20260326, v20250225 or v20250212. (default the first)')
    .option('--token-env <VARIABLE>', 'The environment variable with the access token.')
    .option('--timeout-ms <NUMBER>', 'How long to wait for a response. (default 30000)')
    .option('--allow-undocumented', 'Send assumed operations to a service that is not a sandbox, too.')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ tillbridge remote\n' +
        '  $ tillbridge remote verification-creation-intents\n' +
        '  $ tillbridge remote accounts list --query currency_code=EUR\n' +
        '  $ tillbridge remote account-holder-creation-intents create \\\n' +
        '      --json \'{"know_your_customer":{"type":"cms","detail":{"cms_id":"4711"}}}\'',
    )
    .action(
      (
        resource: string | undefined,
        operation: string | undefined,
        id: string | undefined,
        flags: RemoteFlags,
      ) =>
        runAction(async () => {
          // Only here: the catalogue takes longer to load than a frame to decode.
          const { runRemote } = await import('../run-remote.ts');
          return await runRemote(
            { resource: resource ?? null, operation: operation ?? null, id: id ?? null, flags },
            context,
          );
        }),
    );
};

function gather(text: string, before: string[]): string[] {
  return [...before, text];
}
