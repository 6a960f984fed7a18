/** How a protocol is recorded: by the bytes of its line, or by its requests. */
import type { LineProtocol, RequestProtocol } from '../terminals/terminal-driver.ts';
import type { RecordingParts } from './recorded-driver.ts';
import { recordedProtocol } from './recorded-protocol.ts';
import { recordedRequests } from './recorded-requests.ts';

/** Null: nobody knows how what it says is masked. */
export function recorderOf(
  protocol: LineProtocol | RequestProtocol,
): ((parts: RecordingParts) => LineProtocol | RequestProtocol) | null {
  if ('attach' in protocol) {
    const { captureForm: form } = protocol;
    return form === undefined ? null : (parts) => recordedProtocol(protocol, { ...parts, form });
  }
  const { recordable } = protocol;
  return recordable === undefined ? null : (parts) => recordedRequests(recordable, parts);
}
