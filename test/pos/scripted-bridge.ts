/** A client of the till whose bridge answers by a script, on the virtual clock. */
import { expect } from 'vitest';
import { createPosClient, type PosClient, type PosClientOptions } from '../../src/pos/index.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

interface Asked {
  command: string;
  body: { [field: string]: unknown };
  headers: { [name: string]: string };
}

/**
 * What comes back: fields of an answer of the bridge, or raw `text` with its `status` of somebody else; no connection, or
 * nothing at all.
 */
export type Reply = { [field: string]: unknown } | 'lost' | 'silent';

export interface ScriptedBridge {
  client: PosClient;
  clock: VirtualClock;
  asked: Asked[];
  /** "CreatePayment", "QueryPayment" … in their order. */
  commands(): string[];
}

/** By its command, or after a while. */
export type Answering = (asked: Asked, clock: VirtualClock) => Reply | Promise<Reply>;

/** Answers with `replies` in their order, and with the last one ever after; or as a function says. */
export function scripted(
  replies: readonly Reply[] | Answering,
  options: PosClientOptions = {},
  headers: { [name: string]: string } = {},
): ScriptedBridge {
  const clock = createVirtualClock();
  const asked: Asked[] = [];
  const left = typeof replies === 'function' ? [] : [...replies];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const request = {
      command: new URL(url).pathname.slice(1),
      body: JSON.parse(init.body as string) as Asked['body'],
      headers: init.headers as Asked['headers'],
    };
    asked.push(request);
    const [next] = left.length > 1 ? left.splice(0, 1) : left;
    const reply = typeof replies === 'function' ? await replies(request, clock) : next;
    if (reply === undefined || reply === 'lost') throw new TypeError('fetch failed');
    if (reply === 'silent') return new Promise((_, reject) => onAbort(init.signal, reject));
    if (typeof reply['text'] === 'string')
      return new Response(reply['text'], { status: reply['status'] as number });
    const status = reply['success'] === true ? 200 : 409;
    const echo = { 'x-request-id': request.headers['x-request-id'] ?? '' };
    // CreatePayment tells less than QueryPayment.
    const less = request.command === 'CreatePayment' ? { receipt: undefined, discrepancy: undefined } : {};
    return new Response(JSON.stringify({ ...reply, ...less }), { status, headers: { ...echo, ...headers } });
  };
  const client = createPosClient({ fetch: send as typeof fetch, clock, random: () => 0, ...options });
  return { client, clock, asked, commands: () => asked.map(({ command }) => command) };
}

function onAbort(signal: AbortSignal | null | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => reject(signal.reason));
}

/** The answer about payment A-1. */
export function standing(status: string, more: { [field: string]: unknown } = {}): Reply {
  const isTaken = ['approved', 'settled', 'voided', 'voiding'].includes(status);
  return {
    success: true,
    message: `It is ${status}.`,
    retrieval_reference_number: 'A-1',
    condition_code: '00',
    transaction_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    transaction_status: status,
    ...(isTaken ? { approved_amount: '12.00' } : {}),
    created_at: '2024-06-03T10:20:30.000Z',
    receipt: null,
    discrepancy: null,
    ...more,
  };
}

export function failure(code: string, paymentState?: 'not_started' | 'unknown'): Reply {
  const state = paymentState === undefined ? {} : { payment_state: paymentState };
  return { success: false, code, message: `It is ${code}.`, ...state };
}

export const wish = { reference: 'A-1', amount: '12.00' };

/** Each request for a payment carries the one reference that was given. */
export function expectOneReference({ asked }: ScriptedBridge): void {
  const references = asked.map(({ body }) => body['retrieval_reference_number']);
  expect(new Set(references)).toEqual(new Set(['A-1']));
}
