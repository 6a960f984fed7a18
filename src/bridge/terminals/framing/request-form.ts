/** What a protocol of requests has in place of a line, and what it gives for captures of them. */

export interface SentRequest {
  method: 'GET' | 'POST';
  /** Path with the query, as it was signed. */
  uri: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | null;
}

/** `reason` is a sentence without its full stop, for people. */
export type TransportResult =
  | { kind: 'response'; status: number; body: Uint8Array }
  /** Certain: not one byte of the request has been written. */
  | { kind: 'not_sent'; reason: string }
  /** Some of it may have arrived, and what came of it is not known. */
  | { kind: 'no_answer'; reason: string };

export interface RequestTransport {
  /**
   * Sends it once. Never rejects. Aborted before anything was written, it is `not_sent`; later `no_answer`, and what has not
   * arrived by then never does.
   */
  send(message: SentRequest, signal: AbortSignal): Promise<TransportResult>;
}

export interface RequestForm {
  /** For people ("sale"). */
  nameOf(method: string, uri: string): string;
  /** What may be kept of path and query. */
  maskUri(uri: string): string;
  /**
   * What may be kept of the JSON of a body, by its fields; undefined where it is no JSON. Something fixed stands for what is
   * hidden, so that not even its length is told.
   */
  maskBody(body: Uint8Array): unknown;
  /** The masked JSON as a driver can use it: something of the same kind in place of what is hidden. */
  restored(masked: unknown): unknown;
  /** What nobody can check against a recording, because it is not in it: a sentence for people. */
  unchecked: string;
}
