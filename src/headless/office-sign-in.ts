/** What the options of `tillbridge office` say of an OpenID provider. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { readPlainFile } from '../base/private-files.ts';
import { roleSchema, roles, type Role } from '../contract/office-page.ts';
import type { ProviderSettings } from '../office/index.ts';
import type { CliContext } from './cli-context.ts';

export interface SignInFlags {
  oidcIssuer?: string;
  oidcClientId?: string;
  oidcClientSecretFile?: string;
  oidcRoleClaim: string;
  oidcRoles?: string;
}

export const clientSecretVariable = 'TILLBRIDGE_OFFICE_OIDC_SECRET';
const maxSecretBytes = 4_096;

/** Null: there is none. `wrong`: a sentence for the one who typed it. */
export function providerOf(
  flags: SignInFlags,
  { environment, currentFolder }: Pick<CliContext, 'environment' | 'currentFolder'>,
): { settings: ProviderSettings | null } | { wrong: string } {
  const { oidcIssuer, oidcClientId, oidcClientSecretFile, oidcRoleClaim, oidcRoles } = flags;
  if (oidcIssuer === undefined) {
    const alone = oidcClientId ?? oidcClientSecretFile ?? oidcRoles;
    return alone === undefined
      ? { settings: null }
      : { wrong: 'The other --oidc options need --oidc-issuer.' };
  }
  if (!URL.canParse(oidcIssuer) || !/^https?:/.test(oidcIssuer))
    return { wrong: '--oidc-issuer must be an address, such as https://login.example/realms/shops.' };
  if (oidcClientId === undefined) return { wrong: '--oidc-issuer needs --oidc-client-id.' };
  const mapped = rolesOf(oidcRoles ?? '');
  if (mapped === null || mapped.size === 0) {
    return {
      wrong: `--oidc-roles must say which value is which role, such as "chain-support=support,it=administrator". Roles are ${roles.join(', ')}.`,
    };
  }
  let clientSecret = environment[clientSecretVariable] ?? null;
  if (oidcClientSecretFile !== undefined) {
    try {
      const file = path.resolve(currentFolder, oidcClientSecretFile);
      clientSecret = readPlainFile(file, { maxBytes: maxSecretBytes }).toString('utf8').trim();
    } catch (error) {
      return { wrong: `--oidc-client-secret-file cannot be read: ${errorText(error)}` };
    }
  }
  return {
    settings: {
      issuer: new URL(oidcIssuer),
      clientId: oidcClientId,
      clientSecret: clientSecret === '' ? null : clientSecret,
      roleClaim: oidcRoleClaim,
      roles: mapped,
    },
  };
}

function rolesOf(text: string): Map<string, Role> | null {
  const found = new Map<string, Role>();
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const end = pair.lastIndexOf('=');
    const role = roleSchema.safeParse(pair.slice(end + 1).trim());
    const value = pair.slice(0, Math.max(end, 0)).trim();
    if (!role.success || value === '') return null;
    found.set(value, role.data);
  }
  return found;
}
