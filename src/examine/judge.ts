/**
 * What a POS has done that it must not do, judged from its requests alone. A plain function of the calls of one scene and
 * of what became of its payments; the rules are those of docs/pos-guide.md.
 */
import { formatAmount, type Currency } from '../contract/money.ts';
import type { Call } from './call-log.ts';
import {
  asksAbout,
  isCreate,
  knowledgeAt,
  referenceOf,
  textOf,
  type Attempt,
  type Knowledge,
} from './knowledge.ts';

export const findingKinds = [
  /** Another payment was begun before the outcome of the one before was known. */
  'new_reference',
  /** No answer, and no question after that. */
  'no_query',
  /** A success without an outcome was the last that it heard. */
  'approved_assumed',
  /** A failure that says nothing about the money was the last that it heard. */
  'refusal_assumed',
  'hammering',
  'other_amount',
  /** The reference of an earlier payment. */
  'reference_reused',
  /** It sent what no bridge takes. */
  'refused_request',
  /** It came to no end within the limit. */
  'not_finished',
] as const;
type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  kind: FindingKind;
  /** One sentence or two, for the developer of the POS. */
  text: string;
}

/**
 * How a scene came to its end: the POS knew everything and was quiet; it knew not everything and asked no more; its time was
 * over; nobody pressed "pay".
 */
export type SceneEnd = 'quiet' | 'idle' | 'limit' | 'nobody';

export interface Played {
  /** Of this scene, in their order. */
  calls: readonly Call[];
  /** See `attemptsOf`. */
  attempts: readonly Attempt[];
  /** References of earlier scenes. */
  earlier: ReadonlySet<string>;
  end: SceneEnd;
  /** When it ended, on the clock of the calls. */
  endedMs: number;
  currency: Currency;
}

type Ignorance = Exclude<Knowledge, { kind: 'decided' }>;

/** A question that follows on an answer sooner than this, in milliseconds, came without a pause. */
const pauseMs = 250;
/** More of them in a row are too many. */
const maxWithoutPause = 5;

/** Codes of requests that are wrong in themselves. */
const wrongRequests = [
  'invalid_json',
  'invalid_request',
  'api_version_missing',
  'api_version_unsupported',
  'unsupported_media_type',
  'body_too_large',
  'method_not_allowed',
  'not_found',
  'origin_not_allowed',
  'host_not_allowed',
];

export function judge(played: Played): Finding[] {
  return [
    ...refusedRequests(played),
    ...reused(played),
    ...outcomes(played),
    ...otherAmounts(played),
    ...hammering(played),
    ...unfinished(played),
  ];
}

function refusedRequests({ calls }: Played): Finding[] {
  const seen = new Map<string, { call: Call; count: number }>();
  for (const call of calls) {
    const code = textOf(call.answer?.body['code']);
    if (!wrongRequests.includes(code)) continue;
    const name = `${call.path} ${code}`;
    seen.set(name, { call, count: (seen.get(name)?.count ?? 0) + 1 });
  }
  return [...seen.values()].map(({ call: { path, answer }, count }) => ({
    kind: 'refused_request',
    text: `A request that no bridge takes (${times(count)}): ${path} was refused with ${textOf(answer?.body['code'])}. ${textOf(answer?.body['message'])}`,
  }));
}

function reused({ calls, attempts, earlier }: Played): Finding[] {
  const again = calls.find((call) => isCreate(call) && earlier.has(referenceOf(call) ?? ''));
  if (again === undefined || attempts.length > 0) return [];
  return [
    {
      kind: 'reference_reused',
      text: `An old reference: "${referenceOf(again)}" is that of an earlier payment. No payment begins with it; each one needs a reference of its own.`,
    },
  ];
}

/** What it did while it did not know the outcome: began another one, or gave up asking. */
function outcomes(played: Played): Finding[] {
  const { calls, attempts, end, endedMs, currency } = played;
  return attempts.flatMap((attempt, index): Finding[] => {
    const [next] = attempts.slice(index + 1);
    const knowledge = knowledgeAt(calls, attempt, next?.startedMs ?? endedMs);
    if (knowledge.kind === 'decided') return [];
    if (next !== undefined) return [newReference(attempt, next, knowledge, currency)];
    return end === 'idle' ? [guess(knowledge, attempt.reference)] : [];
  });
}

function newReference(before: Attempt, next: Attempt, knowledge: Ignorance, currency: Currency): Finding {
  const charged = [before, next].flatMap(({ chargedMinor }) => chargedMinor ?? []);
  const sums = charged.map((amountMinor) => `${formatAmount(amountMinor, currency)} ${currency}`);
  return {
    kind: 'new_reference',
    text:
      `${afterWhat(knowledge)}: "${next.reference}" was sent ${seconds(next.startedMs - before.startedMs)} after ` +
      `"${before.reference}", whose outcome the POS did not know.` +
      (charged.length > 1 ? ` The customer has paid both: ${sums.join(' and ')}.` : ''),
  };
}

function afterWhat(knowledge: Ignorance): string {
  switch (knowledge.kind) {
    case 'silence':
      return 'A new reference after silence';
    case 'failure':
      return `A new reference after ${knowledge.code}, which says nothing about the money`;
    case 'undecided':
      return 'A new reference before the payment was decided';
  }
}

function otherAmounts({ calls, attempts }: Played): Finding[] {
  return attempts.flatMap(({ reference }) => {
    const asked = calls
      .filter((call) => isCreate(call) && referenceOf(call) === reference)
      .map((call) => textOf(call.asked?.['amount']))
      .filter((amount) => amount !== '');
    const [first] = asked;
    const other = asked.find((amount) => amount !== first);
    if (other === undefined) return [];
    return [
      {
        kind: 'other_amount' as const,
        text: `Another amount under the same reference: "${reference}" was sent with ${first}, and then with ${other}.`,
      },
    ];
  });
}

function guess(knowledge: Ignorance, reference: string): Finding {
  switch (knowledge.kind) {
    case 'silence':
      return {
        kind: 'no_query',
        text: `No query after a time-out: "${reference}" had no answer, and the POS never asked again. Whatever it shows, it does not know.`,
      };
    case 'undecided':
      return {
        kind: 'approved_assumed',
        text: `Approved assumed: the last that the POS heard of "${reference}" is "${knowledge.status}", with success true, and it never asked again. If it shows "paid", it guesses.`,
      };
    case 'failure':
      return {
        kind: 'refusal_assumed',
        text: `A refusal assumed: the last that the POS heard of "${reference}" is ${knowledge.code}, which says nothing about the money, and it never asked again.`,
      };
  }
}

function hammering({ calls, attempts }: Played): Finding[] {
  return attempts.flatMap((attempt): Finding[] => {
    const { reference } = attempt;
    const asked = calls.filter((call) => asksAbout(call, reference));
    const known = asked.findIndex(({ atMs }) => knowledgeAt(calls, attempt, atMs).kind === 'decided');
    let inARow = 1;
    let most = 0;
    for (const [index, call] of asked.slice(0, known === -1 ? asked.length : known).entries()) {
      const before = asked[index - 1]?.endedMs ?? null;
      inARow = before !== null && call.atMs - before < pauseMs ? inARow + 1 : 1;
      most = Math.max(most, inARow);
    }
    if (most <= maxWithoutPause) return [];
    const text =
      `Hammering: it asked about "${reference}" ${most} times in a row without a pause of ${pauseMs} ms. ` +
      `Wait a second, or let the bridge wait (Prefer: wait=60).`;
    return [{ kind: 'hammering', text }];
  });
}

function unfinished({ end }: Played): Finding[] {
  if (end !== 'limit') return [];
  return [
    { kind: 'not_finished', text: 'Not finished: the POS came to no end within the limit of the scene.' },
  ];
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
