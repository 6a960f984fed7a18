/**
 * The network between a till's client and the bridge, as the client's `fetch`: requests and answers are lost, cut and
 * delayed, or somebody else answers in the bridge's place. A request whose caller has hung up is delivered no more.
 */
import type { Random } from '../support/random.ts';
import type { CommandName, DoorAnswer } from './door.ts';
import type { Shop } from './shop.ts';
import { sendRequest, type Sale, type Sent } from './till-requests.ts';

interface Request {
  command: CommandName;
  body: { [field: string]: unknown };
  waitS: number | null;
  /** Which an answer of the bridge carries, too. */
  id: string | null;
}

const faults = [
  [4, 'request lost'],
  [3, 'request refused by a stranger'],
  [4, 'request delayed'],
  [2, 'request doubled'],
  [5, 'answer lost'],
  [3, 'answer never comes'],
  [3, 'answer cut'],
  [2, 'answer breaks off'],
  [3, 'answer of a stranger'],
] as const;

type Fault = (typeof faults)[number][1] | null;

/** Shares of the requests to which something happens; some shops have a good network. */
const shares = [0, 0.05, 0.25] as const;

/** `saleOf`: whose payment a request is about. */
export function createTillNetwork(
  shop: Shop,
  random: Random,
  saleOf: (reference: string | null) => Sale | null,
): typeof fetch {
  const { world } = shop;
  const share = random.pick([...shares]);

  async function deliver(request: Request, fault: Fault, hungUp: AbortSignal): Promise<Response> {
    if (fault === 'request lost') throw lost();
    if (fault === 'request refused by a stranger') return strange();
    if (fault === 'request delayed') await world.sleep(random.integer(100, 12_000));
    if (hungUp.aborted) throw lost();
    const sent = send(request);
    hungUp.addEventListener('abort', sent.goAway);
    if (fault === 'request doubled') hungUp.addEventListener('abort', send(request).goAway);
    const answer = await sent.answer;
    hungUp.removeEventListener('abort', sent.goAway);
    if (fault === 'answer never comes') await new Promise(() => {});
    if (fault === 'answer lost' || answer.kind === 'lost') throw lost();
    if (fault === 'answer of a stranger') return strange();
    const text = JSON.stringify(wireForm(answer));
    const response = (status: number, pieces: (string | Error)[]) => responseOf(status, pieces, request.id);
    if (fault === 'answer cut') return response(200, [text.slice(0, random.integer(0, text.length - 1))]);
    if (fault === 'answer breaks off') return response(200, [text.slice(0, 20), lost()]);
    if (hungUp.aborted) throw lost();
    sent.note(answer);
    return response(answer.success ? 200 : 409, [text]);
  }

  function send({ command, body, waitS }: Request): Sent {
    const reference = body['retrieval_reference_number'];
    const sale = saleOf(typeof reference === 'string' ? reference : null);
    const isCreate = command === 'CreatePayment';
    const amountMinor = isCreate ? Math.round(Number(body['amount']) * shop.minorPerUnit) : null;
    if (isCreate) shop.note({ kind: 'sent', given: sale?.reference ?? null, reference: String(reference) });
    return sendRequest(shop, { command, sale, body, waitS, amountMinor });
  }

  return (address, init) => {
    const hungUp = init?.signal ?? new AbortController().signal;
    const headers = new Headers(init?.headers);
    const request: Request = {
      command: new URL(address instanceof Request ? address.url : address).pathname.slice(1) as CommandName,
      body: JSON.parse(init?.body as string) as Request['body'],
      waitS: waitOf(headers.get('prefer')),
      id: headers.get('x-request-id'),
    };
    const fault: Fault = !shop.calm && random.chance(share) ? random.weighted(faults) : null;
    if (fault !== null) shop.count(`network ${fault}`);
    return new Promise((resolve, reject) => {
      hungUp.addEventListener('abort', () => reject(hungUp.reason as Error));
      deliver(request, fault, hungUp).then(resolve, reject);
    });
  };
}

function waitOf(prefer: string | null): number | null {
  const [, seconds] = /^wait=(\d+)$/.exec(prefer ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** As the listener writes it. */
function wireForm(answer: Extract<DoorAnswer, { kind: 'answer' }>): object {
  if (answer.success) return answer.body;
  const { code, message, paymentState } = answer;
  const state = paymentState === null ? {} : { payment_state: paymentState };
  return { success: false, message, code, ...state };
}

function lost(): TypeError {
  return new TypeError('fetch failed');
}

function strange(): Response {
  return responseOf(502, ['<html><h1>Bad Gateway</h1></html>'], null);
}

/** Without a stream of Node's, whose turns the world's clock does not know. */
function responseOf(status: number, pieces: (string | Error)[], id: string | null): Response {
  const left = [...pieces];
  const read = () => {
    const piece = left.shift();
    if (piece instanceof Error) return Promise.reject(piece);
    const value = piece === undefined ? undefined : new TextEncoder().encode(piece);
    return Promise.resolve({ done: value === undefined, value });
  };
  const headers = new Headers({ 'x-simulated': 'true', ...(id === null ? {} : { 'x-request-id': id }) });
  return { status, headers, body: { getReader: () => ({ read }) } } as unknown as Response;
}
