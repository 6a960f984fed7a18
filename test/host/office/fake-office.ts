/**
 * A head office in memory, at the other end of `fetch`. It keeps to `src/contract/office.ts` to the letter: whatever a bridge
 * sends that is not as it says there is a complaint, and each hash is worked out again. It can misbehave as the world does.
 */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { chainHash, chainStart, canonicalJson } from '../../../src/bridge/journal/index.ts';
import {
  batchHeadSchema,
  enrolRequestSchema,
  eventsType,
  heartbeatSchema,
  journalLineSchema,
  officeRefusalStatus,
  journalTerminalSchema,
  maxBatchBytes,
  maxBatchEvents,
  placeRequestSchema,
  type ChainPlace,
  type Heartbeat,
  type KnownPlace,
  type OfficeRefusal,
} from '../../../src/contract/office.ts';

export interface OfficeCall {
  method: string;
  /** Such as "heads", "events", "enrol". */
  action: string;
  path: string;
  url: string;
  key: string | null;
}

/** What happens to a request. */
export type Misbehaviour =
  /** It never arrives. */
  | 'unreachable'
  /** It is carried out, and its answer is lost. */
  | 'lose answer'
  /** It is carried out, and there is never an answer. */
  | 'hang'
  /** It is not carried out, and there is never an answer. */
  | 'silence'
  /** It is not carried out. */
  | Response
  | OfficeRefusal;

interface Chain {
  id: string;
  /** The lines of its events, from the first one on. */
  lines: string[];
  hashes: string[];
  grown: number;
}

interface EnrolledBridge {
  bridgeId: string;
  revoked: boolean;
}

export interface FakeOffice {
  readonly fetch: typeof fetch;
  /** Every request, in the order in which they came. */
  readonly calls: OfficeCall[];
  readonly heartbeats: Heartbeat[];
  /** The numbers of events in each batch that was taken. */
  readonly batches: { journal: string; events: number; bytes: number; known: number }[];
  /** What was not as the contract says. */
  readonly complaints: string[];
  newCode(): string;
  /** Asked at each request; null: it behaves. */
  misbehave: (call: OfficeCall) => Misbehaviour | null;
  /** Of all bridges. */
  revokeKeys(revoked?: boolean): void;
  /** The events of each chain of a journal ("live/main"), as lines; the chain that grew last first. */
  chains(journal: string): string[][];
  /** It was restored from a copy: of this journal it only has so many events. */
  forget(journal: string, after: number): void;
}

const shop = { id: randomUUID(), name: 'Graz' };

export function createFakeOffice(): FakeOffice {
  const codes = new Set<string>();
  const bridges = new Map<string, EnrolledBridge>();
  const journals = new Map<string, Chain[]>();
  let grown = 0;

  const office: FakeOffice = {
    fetch: (input, init) => respond(input instanceof Request ? input.url : input.toString(), init ?? {}),
    calls: [],
    heartbeats: [],
    batches: [],
    complaints: [],
    newCode() {
      const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
      const group = () =>
        Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => letters[byte % 32]).join('');
      const code = [group(), group(), group(), group()].join('-');
      codes.add(code);
      return code;
    },
    misbehave: () => null,
    revokeKeys(revoked = true) {
      for (const bridge of bridges.values()) bridge.revoked = revoked;
    },
    chains: (journal) => chainsOf(journal).map(({ lines }) => lines),
    forget(journal, after) {
      for (const { lines, hashes } of chainsOf(journal)) {
        lines.splice(after);
        hashes.splice(after);
      }
    },
  };

  function chainsOf(journal: string): Chain[] {
    return (journals.get(journal) ?? []).toSorted((one, other) => other.grown - one.grown);
  }

  async function respond(url: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(url);
    const headers = new Headers(init.headers);
    const key = headers.get('authorization')?.replace(/^Bearer /, '') ?? null;
    const action = pathname.split('/').at(-1) ?? '';
    const call = { method: init.method ?? 'GET', action, path: pathname, url, key };
    office.calls.push(call);
    const misbehaviour = office.misbehave(call);
    if (misbehaviour === 'unreachable') throw noConnection();
    if (misbehaviour instanceof Response) return misbehaviour;
    if (typeof misbehaviour === 'object' && misbehaviour !== null) return refusal(misbehaviour);
    if (misbehaviour === 'silence') return neverBut(init.signal ?? null);
    const response = answer(call, headers, init.body ?? null);
    if (misbehaviour === 'lose answer')
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    if (misbehaviour === 'hang') return neverBut(init.signal ?? null);
    return response;
  }

  function answer(call: OfficeCall, headers: Headers, body: unknown): Response {
    const { method, path, key } = call;
    if (path === '/bridge/v1/enrol') return enrol(jsonOf(body, headers));
    const bridge = key === null ? undefined : bridges.get(key);
    if (bridge === undefined || bridge.revoked)
      return refusal({ error: 'key_unknown', message: 'This key is unknown here.' });
    if (path === '/bridge/v1/heartbeat') {
      office.heartbeats.push(
        checked('a heartbeat', () => heartbeatSchema.strict().parse(jsonOf(body, headers))),
      );
      return Response.json({});
    }
    const [, journal, terminal = '', action] =
      /^\/bridge\/v1\/journals\/((?:live|simulated)\/([^/]+))\/(heads|place|events)$/.exec(path) ?? [];
    if (journal === undefined || !journalTerminalSchema.safeParse(terminal).success) {
      office.complaints.push(`there is no ${method} ${path}`);
      return refusal({ error: 'not_found', message: 'There is no such path.' });
    }
    if ((action === 'heads') !== (method === 'GET')) office.complaints.push(`${method} ${path}`);
    if (action === 'heads') return Response.json({ heads: chainsOf(journal).map(headOf) });
    if (action === 'place') return place(journal, jsonOf(body, headers));
    return take(journal, body, headers);
  }

  function enrol(content: unknown): Response {
    const { code, key } = checked('an enrolment', () =>
      enrolRequestSchema.strict().required().parse(content),
    );
    const joined = bridges.get(key);
    if (joined !== undefined) return joinedAs(joined.bridgeId, key);
    const plain = code.toUpperCase().replaceAll('-', '');
    const known = [...codes].find((one) => one.replaceAll('-', '') === plain);
    if (known === undefined) return refusal({ error: 'code_unknown', message: 'This code is unknown.' });
    codes.delete(known);
    const bridgeId = randomUUID();
    bridges.set(key, { bridgeId, revoked: false });
    return joinedAs(bridgeId, key);
  }

  function joinedAs(bridgeId: string, key: string): Response {
    return Response.json({ bridgeId, key, shop, officeVersion: '2.0.0', more: 'of a newer office' });
  }

  function place(journal: string, content: unknown): Response {
    const { points } = checked('points', () => placeRequestSchema.strict().parse(content));
    const newest = points[0]?.seq ?? 0;
    for (const [index, { seq }] of points.entries()) {
      const back = index === 0 ? 0 : 2 ** (index - 1);
      const expected = index === points.length - 1 ? 1 : newest - back;
      if (seq !== expected && newest !== 1) office.complaints.push(`point ${index} of ${newest} is ${seq}`);
    }
    for (const { seq, hash } of points) {
      const chain = chainsOf(journal).find((one) => one.hashes[seq - 1] === hash);
      if (chain !== undefined) return Response.json({ place: { chain: chain.id, seq, hash } });
    }
    return Response.json({ place: null });
  }

  function take(journal: string, body: unknown, headers: Headers): Response {
    if (headers.get('content-type') !== eventsType || headers.get('content-encoding') !== 'gzip')
      office.complaints.push('a batch is gzipped JSON lines');
    const text = gunzipSync(body as Uint8Array).toString('utf8');
    if (!text.endsWith('\n')) office.complaints.push('the last line does not end');
    const [first = '', ...lines] = text.slice(0, -1).split('\n');
    if (lines.length === 0 || lines.length > maxBatchEvents)
      office.complaints.push(`a batch of ${lines.length} events`);
    if (Buffer.byteLength(text) > maxBatchBytes && lines.length > 1)
      office.complaints.push(`a batch of ${Buffer.byteLength(text)} bytes`);
    const head = checked('a batch', () => batchHeadSchema.strict().parse(JSON.parse(first)));
    const from = chainFor(journal, head.chain, head.after, lines[0] ?? '');
    if (from === null) return refusal({ error: 'place_unknown', message: 'What is that to follow on?' });
    let chain: Chain = from;
    let at: ChainPlace = head.after;
    let known = 0;
    for (const line of lines) {
      const fits = followerOf(at, line);
      if (fits === null) {
        const seq = at.seq + 1;
        return refusal({ error: 'chain_broken', message: `Event ${seq} does not fit its hash.`, seq });
      }
      at = fits;
      const there = chain.hashes[at.seq - 1];
      if (there === at.hash) {
        known += 1;
        continue;
      }
      if (there !== undefined) chain = branch(journal, chain, at.seq - 1);
      chain.hashes.push(at.hash);
      chain.lines.push(line);
      chain.grown = grown += 1;
    }
    office.batches.push({ journal, events: lines.length, bytes: Buffer.byteLength(text), known });
    return Response.json({ chain: chain.id, ...at });
  }

  /** Null: there is no such place. */
  function chainFor(journal: string, id: string | null, after: ChainPlace, firstLine: string): Chain | null {
    if (id === null) {
      if (after.seq !== 0 || after.hash !== chainStart.hash) return null;
      const firstHash = followerOf(after, firstLine)?.hash;
      const same = chainsOf(journal).find(({ hashes }) => hashes[0] === firstHash);
      return same ?? branch(journal, null, 0);
    }
    if (after.seq === 0) office.complaints.push('a batch names a chain, and no event of it');
    const chain = chainsOf(journal).find((one) => one.id === id);
    return chain !== undefined && placeIn(chain, after.seq).hash === after.hash ? chain : null;
  }

  function branch(journal: string, from: Chain | null, after: number): Chain {
    const made = {
      id: randomUUID(),
      lines: from?.lines.slice(0, after) ?? [],
      hashes: from?.hashes.slice(0, after) ?? [],
      grown: (grown += 1),
    };
    journals.set(journal, [...(journals.get(journal) ?? []), made]);
    return made;
  }

  function jsonOf(body: unknown, headers: Headers): unknown {
    if (headers.get('content-type') !== 'application/json') office.complaints.push('this is no JSON');
    return JSON.parse(String(body));
  }

  function checked<T>(what: string, parse: () => T): T {
    try {
      return parse();
    } catch (error) {
      office.complaints.push(`${what}: ${String(error)}`);
      throw error;
    }
  }

  return office;
}

/** The place of the event of `line` if it follows on `before`; null: it does not. */
function followerOf(before: ChainPlace, line: string): ChainPlace | null {
  const parsed = journalLineSchema.strict().safeParse(JSON.parse(line));
  if (!parsed.success) return null;
  const { seq, at, hash, event } = parsed.data;
  if (seq !== before.seq + 1 || chainHash(before.hash, seq, at, canonicalJson(event)) !== hash) return null;
  return { seq, hash };
}

function headOf(chain: Chain): KnownPlace {
  return { chain: chain.id, ...placeIn(chain, chain.hashes.length) };
}

function placeIn({ hashes }: Chain, seq: number): ChainPlace {
  return seq === 0 ? chainStart : { seq, hash: hashes[seq - 1] ?? '' };
}

function refusal(content: OfficeRefusal): Response {
  return Response.json(content, { status: officeRefusalStatus[content.error] });
}

/** Until the one who asks gives up. */
function neverBut(signal: AbortSignal | null): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });
}

/** As `fetch` says it. */
function noConnection(): TypeError {
  return new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
}
