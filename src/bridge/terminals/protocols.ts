/** The protocols that the bridge speaks, by name. Only the one that is asked for is loaded. */
import type { ProtocolName } from '../../contract/protocols.ts';
import type { CreateProtocol, ProtocolOptions } from './create-protocol.ts';
import type { LineProtocol, RequestProtocol } from './terminal-driver.ts';

/** The protocol for one terminal. Its lines in the log have its name as their source. */
export async function loadProtocol(
  name: ProtocolName,
  options: ProtocolOptions,
): Promise<LineProtocol | RequestProtocol> {
  // By convention, so that nobody lists the folders. A test loads each one.
  const { createProtocol } = (await import(`./${name}/index.ts`)) as { createProtocol: CreateProtocol };
  return createProtocol({ ...options, log: options.log.with({ source: name }) });
}
