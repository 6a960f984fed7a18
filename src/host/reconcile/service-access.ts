/** Where the remote service is and who asks it: from flags and the environment. */
import type { RemoteAuth } from '../../remote/library/client.ts';

export interface AccessFlags {
  baseUrl?: string;
  tokenEnv?: string;
}

export interface ServiceAccess {
  baseUrl: string;
  auth: RemoteAuth;
}

/** What is wrong with the command line, or missing in the environment, as a sentence. */
export type Read<T> = { ok: true; value: T } | { ok: false; message: string };

/** Where `tillbridge sandbox` listens when nobody says otherwise. */
const sandboxUrl = 'http://127.0.0.1:8090/v1';

export function readServiceAccess(
  flags: AccessFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Read<ServiceAccess> {
  const auth = readAuth(flags, environment);
  if (!auth.ok) return auth;
  const baseUrl = flags.baseUrl ?? environment['TILLBRIDGE_REMOTE_URL'] ?? sandboxUrl;
  return { ok: true, value: { baseUrl, auth: auth.value } };
}

function readAuth(
  flags: AccessFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Read<RemoteAuth> {
  const value = (name: string) => environment[name]?.trim() ?? '';
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
