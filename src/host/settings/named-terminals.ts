/**
 * The terminals of a configuration: the main one, whose settings are those at top level, and what `terminals` names
 * beside it. What a terminal does not say for itself is as it is for the main one.
 */
import { printableLine } from '../../base/printable-text.ts';
import { configurationSchema, settings, type Configuration } from '../../contract/configuration.ts';
import { nested, valueAt } from '../../contract/dotted-keys.ts';
import { formatTerminalAddress } from '../../contract/terminal-address.ts';
import { mainTerminal, terminalNameSchema } from '../../contract/terminal-name.ts';
import { connectionProblem, protocolNames, protocolOf } from '../../contract/protocols.ts';
import { terminalEntries } from '../../contract/terminals.ts';
import { isObject, readContent } from './configuration-sources.ts';
import { keyOf, wrongValue } from './wrong-value.ts';

interface NamedTerminal {
  name: string;
  /** With its own settings in place of the main terminal's. */
  configuration: Configuration;
}

export type NamedTerminals =
  | { ok: true; /** The main one first. */ terminals: NamedTerminal[] }
  /** Sentences. */
  | { ok: false; errors: string[] };

/** The first parts of keys that are about a terminal, and not about the bridge as a whole. */
const ownGroups: readonly string[] = [
  'terminal',
  'protocol',
  'currency',
  'maxTipPercent',
  'pace',
  'serial',
  'heartbeatMs',
  ...protocolNames,
];

export function namedTerminals(configuration: Configuration): NamedTerminals {
  const errors = protocolProblems(configuration);
  if (errors.length > 0) return { ok: false, errors };
  const terminals: NamedTerminal[] = [{ name: mainTerminal, configuration }];
  for (const [name, content] of terminalEntries(configuration.terminals)) {
    const read = readTerminal(name, content, configuration);
    if (!read.ok) errors.push(...read.errors);
    else if (terminals.some((other) => other.name === name))
      errors.push(`There are two terminals "${name}".`);
    else terminals.push({ name, configuration: read.configuration });
  }
  if (errors.length === 0) errors.push(...conflicts(terminals));
  return errors.length === 0 ? { ok: true, terminals } : { ok: false, errors };
}

function readTerminal(
  name: string,
  content: Record<string, unknown>,
  main: Configuration,
): { ok: true; configuration: Configuration } | { ok: false; errors: string[] } {
  const named = terminalNameSchema.safeParse(name);
  if (!named.success) {
    const demands = named.error.issues.map(({ message }) => message).join(', and ');
    return { ok: false, errors: [`The name of a terminal, "${printableLine(name, 40)}", ${demands}.`] };
  }
  const reading = readContent(content, `the terminal "${name}"`);
  const foreign = reading.values.filter(({ key }) => !ownGroups.includes(key.split('.')[0] ?? key));
  const errors = [
    ...reading.errors,
    ...foreign.map(({ origin }) => `${origin} is a setting of the whole bridge: it stands at top level.`),
  ];
  if (!reading.values.some(({ key }) => key === 'terminal'))
    errors.push(`The terminal "${name}" needs "terminal": where it is, such as "tcp:192.168.1.21:20007".`);
  if (errors.length > 0) return { ok: false, errors };
  const own = nested(reading.values.map(({ key, value }): [string, unknown] => [key, value]));
  const parsed = configurationSchema.safeParse({ ...merged(main, own), terminals: {} });
  if (parsed.success) {
    const unfit = protocolProblems(parsed.data);
    if (unfit.length > 0)
      return { ok: false, errors: unfit.map((words) => `The terminal "${name}": ${words}`) };
    return { ok: true, configuration: parsed.data };
  }
  const wrong = new Set(parsed.error.issues.map(({ path }) => keyOf(path)));
  return { ok: false, errors: reading.values.filter(({ key }) => wrong.has(key)).map(wrongValue) };
}

/** Why no terminal of its protocol can be reached with these settings, in sentences. */
function protocolProblems(configuration: Configuration): string[] {
  const { protocol, terminal } = configuration;
  const unfit = connectionProblem(protocol, terminal);
  if (unfit !== null) return [unfit];
  if (terminal.kind === 'simulator') return [];
  return settings
    .filter(
      ({ key, needed }) => needed && key.startsWith(`${protocol}.`) && valueAt(configuration, key) === '',
    )
    .map(({ key, flag }) => `${protocolOf(protocol).title} needs the setting "${key}" (${flag}).`);
}

/** What `own` does not have is as in `main`, group by group. */
function merged(main: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const all = { ...main };
  for (const [name, value] of Object.entries(own)) {
    const under = all[name];
    all[name] = isObject(value) && isObject(under) ? merged(under, value) : value;
  }
  return all;
}

function conflicts(terminals: readonly NamedTerminal[]): string[] {
  const simulated = terminals.filter(({ configuration }) => configuration.terminal.kind === 'simulator');
  if (simulated.length > 0 && simulated.length < terminals.length) {
    const names = simulated.map(({ name }) => `"${name}"`).join(', ');
    return [
      `The simulator (${names}) and real terminals cannot be on one bridge: payments that are none would stand beside real ones.`,
    ];
  }
  if (simulated.length > 0) return [];
  const byAddress = new Map<string, string>();
  return terminals.flatMap(({ name, configuration }) => {
    const address = formatTerminalAddress(configuration.terminal);
    const other = byAddress.get(address.toLowerCase());
    byAddress.set(address.toLowerCase(), name);
    return other === undefined
      ? []
      : [
          `The terminals "${other}" and "${name}" have the same address, ${address}. Each needs one of its own.`,
        ];
  });
}
