/** The body of a command: one JSON object in UTF-8, bounded in size and time. */
import type { Refusal } from '../../contract/errors.ts';
import type { IncomingMessage } from 'node:http';
import { maxBodyBytes } from '../../contract/commands.ts';

export type Body =
  | { kind: 'object'; value: Record<string, unknown> }
  /** Read to its end and refused. */
  | { kind: 'refused'; refusal: Refusal }
  /** Refused with more still to come: respond and close. */
  | { kind: 'unfinished'; refusal: Refusal }
  /** The caller has gone. */
  | { kind: 'gone' };

const tooLarge: Body = {
  kind: 'unfinished',
  refusal: {
    code: 'body_too_large',
    message: `The body is larger than ${maxBodyBytes / 1024} KiB. A command is one small JSON object.`,
  },
};
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Emitted on a request, with a `Failure`: nothing more of its body will come. An event and no function that the
 * request's context holds: that kept what belonged to requests of long ago alive until the next full collection.
 */
const readingCut = Symbol('readingCut');

/** Ends the reading of the body with `failure`, if it is being read and not complete. */
export function cutReading(request: IncomingMessage, refusal: Refusal): void {
  request.emit(readingCut, refusal);
}

/** Reads and parses the body; how long it may take is the server's `requestTimeout`. Never rejects. */
export function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return resolve(tooLarge);
    let first: Buffer | null = null;
    const more: Buffer[] = [];
    let lengthBytes = 0;

    const finish = (body: Body) => {
      request.off(readingCut, onCut);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      // Counted as it comes: a chunked body has no length, and a given one may lie.
      lengthBytes += chunk.length;
      if (lengthBytes > maxBodyBytes) return finish(tooLarge);
      if (first === null) first = chunk;
      else more.push(chunk);
    };
    const onEnd = () => {
      const bytes =
        first === null ? Buffer.alloc(0) : more.length === 0 ? first : Buffer.concat([first, ...more]);
      finish(parseObject(bytes));
    };
    const onClose = () => finish({ kind: 'gone' });
    const onCut = (refusal: Refusal) => {
      // Complete, though its end has not been told yet: what is broken comes after it.
      if (!request.complete) finish({ kind: 'unfinished', refusal });
    };
    request.on(readingCut, onCut);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    request.on('error', ignore);
  });
}

/** A connection that breaks is told by `close`; without a listener `error` would be thrown. */
function ignore(): void {}

/** Equal keys: the last one counts, as in every JavaScript reader. `__proto__` is a field like any other. */
export function parseObject(bytes: Uint8Array): Body {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's own message would repeat the caller's bytes.
    return refuseJson('The body is not valid JSON in UTF-8');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseJson('The body is JSON, but not an object');
  }
  return { kind: 'object', value: value as Record<string, unknown> };
}

function refuseJson(what: string): Body {
  const message = `${what}. Send one JSON object such as {"retrieval_reference_number":"A-1001"}, or {} where a command needs nothing.`;
  return { kind: 'refused', refusal: { code: 'invalid_json', message } };
}
