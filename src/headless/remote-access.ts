/** Where the remote service is and who asks it, for the commands that do; and what is said when it does not work. */
import type { RemoteAuth, RemoteError } from '../remote/library/client.ts';
import { exitFailed, exitUsage, oneLine, type CliContext } from './cli-context.ts';

export interface AccessFlags {
  baseUrl?: string;
  tokenEnv?: string;
}

/** What is wrong with the command line, as a sentence. */
export type Read<T> = { ok: true; value: T } | { ok: false; message: string };

/** Where `tillbridge sandbox` listens when nobody says otherwise. */
const sandboxUrl = 'http://127.0.0.1:8090/v1';

export function readAccess(
  flags: AccessFlags,
  context: CliContext,
): Read<{ baseUrl: string; auth: RemoteAuth }> {
  const auth = readAuth(flags, context);
  if (!auth.ok) return auth;
  const baseUrl = flags.baseUrl ?? context.environment['TILLBRIDGE_REMOTE_URL'] ?? sandboxUrl;
  return { ok: true, value: { baseUrl, auth: auth.value } };
}

function readAuth(flags: AccessFlags, context: CliContext): Read<RemoteAuth> {
  const value = (name: string) => context.environment[name]?.trim() ?? '';
  const variable = flags.tokenEnv ?? 'TILLBRIDGE_REMOTE_TOKEN';
  const bearer = value(variable);
  if (bearer !== '') return { ok: true, value: { bearer } };
  if (flags.tokenEnv !== undefined) {
    return { ok: false, message: `--token-env: the environment variable ${variable} is not set.` };
  }
  const clientId = value('TILLBRIDGE_REMOTE_CLIENT_ID');
  const clientSecret = value('TILLBRIDGE_REMOTE_CLIENT_SECRET');
  const tokenUrl = value('TILLBRIDGE_REMOTE_TOKEN_URL');
  if (clientId !== '' && clientSecret !== '') {
    return { ok: true, value: { clientId, clientSecret, ...(tokenUrl === '' ? {} : { tokenUrl }) } };
  }
  return {
    ok: false,
    message:
      'There is no access token. Set TILLBRIDGE_REMOTE_TOKEN, or TILLBRIDGE_REMOTE_CLIENT_ID and ' +
      'TILLBRIDGE_REMOTE_CLIENT_SECRET.',
  };
}

/** Gives the exit code. */
export function explain(error: RemoteError, context: CliContext): number {
  context.error(oneLine(error.message));
  const told = [
    error.status === null ? null : `status ${error.status}`,
    error.code === null ? null : `code ${error.code}`,
    error.requestId === null ? null : `request ${error.requestId}`,
  ].filter((fact) => fact !== null);
  if (told.length > 0) context.error(oneLine(`(${told.join(', ')})`));
  if (error.status !== null) {
    for (const issue of error.issues) context.error(oneLine(`  ${issue.path}: ${issue.message}`));
  }
  if (error.kind === 'etag-unknown') context.error('Give the record’s etag with --etag.');
  if (error.outcome === 'unknown')
    context.error('It may have been carried out anyway; check before you repeat it.');
  return error.kind === 'configuration' || error.kind === 'invalid-request' ? exitUsage : exitFailed;
}
