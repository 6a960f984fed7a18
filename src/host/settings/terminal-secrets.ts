/** Secrets that terminals have of their own, within the setting `terminals`. */
import { secretSettings, type Configuration } from '../../contract/configuration.ts';
import { terminalEntries } from '../../contract/terminals.ts';

/** `terminals` as the support may see it. */
export function terminalsWithoutSecrets(terminals: Configuration['terminals']): Record<string, unknown> {
  return Object.fromEntries(
    terminalEntries(terminals).map(([name, content]) => [name, withoutSecrets(content)]),
  );
}

/** The keys of secrets that some terminal has of its own. */
export function secretsOfTerminals(terminals: unknown): string[] {
  if (!isGroup(terminals)) return [];
  return Object.entries(terminals).flatMap(([name, content]) =>
    isGroup(content)
      ? secretSettings.flatMap(({ key }) => (holds(content, key) ? [`terminals.${name}.${key}`] : []))
      : [],
  );
}

function holds(content: Record<string, unknown>, key: string): boolean {
  const [first = key, ...rest] = key.split('.');
  const value = content[first];
  return rest.length === 0 ? value !== undefined : isGroup(value) && holds(value, rest.join('.'));
}

function withoutSecrets(content: Record<string, unknown>, place = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]): [string, unknown][] => {
      const key = `${place}${name}`;
      if (secretSettings.some((secret) => secret.key === key)) return [];
      return [[name, isGroup(value) ? withoutSecrets(value, `${key}.`) : value]];
    }),
  );
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
