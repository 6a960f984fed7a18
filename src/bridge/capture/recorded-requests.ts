/** A protocol of requests whose driver is recorded: what it is asked, what it says, and its requests with their answers. */
import type { RequestForm, RequestTransport, TransportResult } from '../terminals/framing/index.ts';
import type { RequestProtocol } from '../terminals/terminal-driver.ts';
import type { Note } from './line-recorder.ts';
import {
  notesOf,
  recordedDriver,
  recordedWatch,
  type NoteMade,
  type RecordingParts,
} from './recorded-driver.ts';

/**
 * The protocol as it is, with everything that happens on its connections written down. Each attempt to connect begins with
 * `opened`, and ends with `closed`. Whatever goes wrong with that, driver and terminal never notice.
 */
export function recordedRequests(
  { form, through }: NonNullable<RequestProtocol['recordable']>,
  parts: RecordingParts,
): RequestProtocol {
  const { note } = notesOf(parts);
  let calls = 0;
  let isOpen = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    note(() => ({ kind: 'opened' }));
  };
  const end = (reason: string) => {
    if (!isOpen) return;
    isOpen = false;
    note(() => ({ kind: 'closed', reason }));
  };
  const protocol = through((own) => recordedTransport(own, { form, note, open }));
  return {
    ...protocol,
    async connect(watch, signal, onFailure) {
      const connection = await protocol.connect(recordedWatch(watch, note), signal, (reason, nextTryMs) => {
        end(reason);
        onFailure(reason, nextTryMs);
      });
      if (connection === null) {
        end('no longer wanted');
        return null;
      }
      connection.onClose(end);
      return {
        driver: recordedDriver(connection.driver, note, () => (calls += 1)),
        onClose: (handler) => connection.onClose(handler),
        get closed() {
          return connection.closed;
        },
        close: (unsent) => connection.close(unsent),
      };
    },
  };
}

function recordedTransport(
  own: RequestTransport,
  { form, note, open }: { form: RequestForm; note: NoteMade; open: () => void },
): RequestTransport {
  let requests = 0;
  return {
    async send(message, signal) {
      const { method, uri, headers, body } = message;
      const request = (requests += 1);
      open();
      note(() => ({
        kind: 'request',
        from: 'bridge',
        request,
        name: form.nameOf(method, uri),
        method,
        uri: form.maskUri(uri),
        headers: Object.keys(headers),
        ...(body === null ? {} : bodyOf(body, form)),
      }));
      const result = await own.send(message, signal);
      note(() => noteOf(result, request, form));
      return result;
    },
  };
}

function noteOf(result: TransportResult, request: number, form: RequestForm): Note {
  if (result.kind !== 'response')
    return { kind: 'no_reply', from: 'terminal', request, result: result.kind, reason: result.reason };
  const { status, body } = result;
  return { kind: 'reply', from: 'terminal', request, status, ...bodyOf(body, form) };
}

/** What cannot be read cannot be masked, so only its length is kept. */
function bodyOf(bytes: Uint8Array, form: RequestForm): { body: unknown } | { unreadable: number } {
  const body = form.maskBody(bytes);
  return body === undefined ? { unreadable: bytes.length } : { body };
}
