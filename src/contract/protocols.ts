/** The protocols as everybody knows them: by the descriptors in their folders, which the registry names. */
import { z } from 'zod';
import * as registry from '../bridge/terminals/registry.ts';
import type { ProtocolDescriptor } from './protocol-descriptor.ts';
import type { TerminalAddress } from './terminal-address.ts';

type Registered = (typeof registry)[keyof typeof registry];
export type ProtocolName = Registered['name'];

/** In the order of their names. */
export const protocolNames: readonly ProtocolName[] = Object.values(registry)
  .map(({ name }) => name)
  .toSorted();
export const protocolNameSchema = z.enum(protocolNames);

export function protocolOf(name: ProtocolName): ProtocolDescriptor {
  const found = Object.values<ProtocolDescriptor>(registry).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no protocol ${name}`);
  return found;
}

/** Its terminals are at the other end of a stream of bytes, and not of requests. */
export function hasLine(name: ProtocolName): boolean {
  const { serial, tcp } = protocolOf(name).connections;
  return serial !== undefined || tcp !== undefined;
}

/** Lines of the log that tell of frames have the protocol's name as their source. */
export function isProtocolName(name: string): name is ProtocolName {
  return protocolNames.some((one) => one === name);
}

type SettingsOf<Descriptor> = Descriptor extends { settings: infer Settings }
  ? (given: Settings) => void
  : never;
/** All rows together, each under its key. */
type ProtocolSettings = SettingsOf<Registered> extends (given: infer Settings) => void ? Settings : never;
/** The protocols' own settings. */
export const protocolSettings = Object.assign(
  {},
  ...protocolNames.map((name) => protocolOf(name).settings),
) as ProtocolSettings;

const forms = { serial: 'serial:PATH', tcp: 'tcp:HOST:PORT', http: 'http:HOST:PORT' } as const;

/** Why a terminal of this protocol cannot be where the address says: a sentence; null when it can. */
export function connectionProblem(
  name: ProtocolName,
  { kind }: Pick<TerminalAddress, 'kind'>,
): string | null {
  const { title, connections, hasSimulator } = protocolOf(name);
  if (kind === 'simulator') return hasSimulator ? null : `There is no simulator of ${title} terminals.`;
  if (connections[kind] !== undefined) return null;
  const taken = Object.keys(connections).map((one) => forms[one as keyof typeof forms]);
  return `The terminal must be ${taken.join(' or ')}: ${title} is not spoken over ${forms[kind]}.`;
}
