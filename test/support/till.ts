/** A till: posts the five commands as POS software does. */
export interface TillAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { success: boolean; message: string; code?: string };
}

export interface Till {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TillAnswer>;
  /** CreatePayment; `waitS` adds `Prefer: wait`. */
  create(amount: string, reference: string, waitS?: number): Promise<TillAnswer>;
  query(reference: string, waitS?: number): Promise<TillAnswer>;
  cancel(reference?: string): Promise<TillAnswer>;
  void(reference: string, waitS?: number): Promise<TillAnswer>;
  batch(waitS?: number): Promise<TillAnswer>;
  /** GET /health, with the body whatever the status. */
  health(): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** `send`: how a request is made, if not by `fetch`. `always`: headers of each of them. */
export function createTill(
  base: string,
  send: (url: string, init?: RequestInit) => Promise<Response> = fetch,
  always: Record<string, string> = {},
): Till {
  async function post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<TillAnswer> {
    const response = await send(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-version': 'v1', ...always, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as TillAnswer['body'],
    };
  }
  const prefer = (waitS: number | undefined): Record<string, string> =>
    waitS === undefined ? {} : { prefer: `wait=${waitS}` };
  return {
    post,
    create: (amount, reference, waitS) =>
      post('/CreatePayment', { amount, retrieval_reference_number: reference }, prefer(waitS)),
    query: (reference, waitS) =>
      post('/QueryPayment', { retrieval_reference_number: reference }, prefer(waitS)),
    cancel: (reference) =>
      post('/CancelPayment', reference === undefined ? {} : { retrieval_reference_number: reference }),
    void: (reference, waitS) =>
      post('/VoidPayment', { retrieval_reference_number: reference }, prefer(waitS)),
    batch: (waitS) => post('/SubmitBatch', {}, prefer(waitS)),
    async health() {
      const response = await send(`${base}/health`, { headers: always });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
