/** What a POS knows of a payment, by the answers that reached it. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/examine/call-log.ts';
import { knowledgeAt, type Attempt } from '../../src/examine/knowledge.ts';

const attempt: Attempt = { reference: 'A', startedMs: 0, decidedMs: 500, chargedMinor: null };

/** A call that was answered half a second after it was sent. */
function call(path: string, atMs: number, change: Partial<Call> = {}): Call {
  return {
    atMs,
    endedMs: atMs + 500,
    method: 'POST',
    path,
    prefer: null,
    replays: false,
    asked: { retrieval_reference_number: 'A' },
    answer: null,
    end: 'answered',
    ...change,
  };
}
const answer = (body: Record<string, unknown>) => ({ answer: { status: 200, body } });
const success = (status: string) => answer({ success: true, transaction_status: status });

describe('what a POS knows of a payment', () => {
  it.each<[string, Call[], string]>([
    ['nothing has been asked', [], 'silence'],
    ['a success is decided', [call('/CreatePayment', 0, success('declined'))], 'decided'],
    ['a success is not decided', [call('/CreatePayment', 0, success('voiding'))], 'undecided'],
    [
      'a decision is followed by silence',
      [call('/QueryPayment', 0, success('approved')), call('/QueryPayment', 1_000, { end: 'hung_up' })],
      'decided',
    ],
    [
      'an undecided answer is followed by silence',
      [call('/CreatePayment', 0, success('in_progress')), call('/QueryPayment', 1_000, { end: 'hung_up' })],
      'silence',
    ],
    ['the answer was lost', [call('/CreatePayment', 0, { ...success('approved'), end: 'lost' })], 'silence'],
    [
      'the answer comes too late',
      [call('/CreatePayment', 0, { ...success('approved'), endedMs: 9_000 })],
      'silence',
    ],
    [
      'it is about another payment',
      [call('/QueryPayment', 0, { ...success('approved'), asked: { retrieval_reference_number: 'B' } })],
      'silence',
    ],
    [
      'nothing was started',
      [call('/CreatePayment', 0, answer({ success: false, code: 'x', payment_state: 'not_started' }))],
      'decided',
    ],
    [
      'there is no such payment',
      [call('/QueryPayment', 0, answer({ success: false, code: 'payment_not_found' }))],
      'decided',
    ],
    [
      'a failure says nothing',
      [call('/CreatePayment', 0, answer({ success: false, code: 'x', payment_state: 'unknown' }))],
      'failure',
    ],
    ['it was cancelled', [call('/CancelPayment', 0, answer({ success: true }))], 'decided'],
    [
      'whatever ran was cancelled',
      [call('/CancelPayment', 0, { ...answer({ success: true }), asked: {} })],
      'decided',
    ],
    [
      'another one was cancelled',
      [
        call('/CancelPayment', 0, {
          ...answer({ success: true }),
          asked: { retrieval_reference_number: 'B' },
        }),
      ],
      'silence',
    ],
    [
      'a cancel came too late',
      [call('/CancelPayment', 0, answer({ success: false, code: 'cancel_too_late' }))],
      'decided',
    ],
    ['a cancel was refused', [call('/CancelPayment', 0, answer({ success: false }))], 'silence'],
    ['it was reversed', [call('/VoidPayment', 0, answer({ success: true }))], 'decided'],
    ['the day was closed', [call('/SubmitBatch', 0, answer({ success: true }))], 'silence'],
    ['events were listened to', [call('/events', 0, { method: 'GET', endedMs: null })], 'decided'],
    ['events were listened to before', [call('/events', 0, { method: 'GET', endedMs: 400 })], 'silence'],
    [
      'events are listened to afterwards',
      [call('/events', 600, { method: 'GET', endedMs: null })],
      'silence',
    ],
    [
      'events that were missed were asked for',
      [call('/events', 600, { method: 'GET', endedMs: null, replays: true })],
      'decided',
    ],
  ])('when %s', (_when, calls, kind) => {
    expect(knowledgeAt(calls, attempt, 2_000).kind).toBe(kind);
  });

  it('is not the outcome before that is known to anybody, whatever is listened to', () => {
    const calls = [call('/events', 0, { method: 'GET', endedMs: null })];
    expect(knowledgeAt(calls, { ...attempt, decidedMs: null }, 2_000).kind).toBe('silence');
    expect(knowledgeAt(calls, attempt, 499).kind).toBe('silence');
  });
});
