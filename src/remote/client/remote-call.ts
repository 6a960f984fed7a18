/** What a method gives back: a promise of the record, from which the answer's own facts can be had, too. */

export interface Answer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** The service's own id of the request, for its support. */
  requestId: string | null;
  /** How often the request was sent. */
  attempts: number;
}

export interface RemoteCall<Data> extends Promise<Data> {
  /** The record with the answer that it came in. Sends nothing again. */
  withResponse(): Promise<Answer<Data>>;
}

export function remoteCall<Data>(answer: Promise<Answer<Data>>): RemoteCall<Data> {
  const data = answer.then((known) => known.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks so hears of a failure here; nobody waits for the other promise.
      data.catch(() => {});
      return answer;
    },
  });
}
