/** How a till's requests reach the bridge, and what is noted of them for the checker. */
import type { CommandName, DoorAnswer, DoorRequest } from './door.ts';
import type { AnswerRecord } from './evidence.ts';
import type { Shop } from './shop.ts';

export interface Sale {
  reference: string;
  amountMinor: number;
  /** As far as the POS knows. */
  status: string | null;
  /** Requests for it that wait for an answer. */
  requests: Set<DoorRequest>;
}

export interface TillRequest {
  command: CommandName;
  sale: Sale | null;
  body: { [field: string]: unknown };
  waitS: number | null;
  /** Of CreatePayment. */
  amountMinor: number | null;
}

export interface Sent {
  /** Lost at once where no bridge runs. */
  answer: Promise<DoorAnswer>;
  goAway(): void;
  /** The answer has come to the till. */
  note(answer: DoorAnswer): void;
}

const nobody: DoorAnswer = { kind: 'lost' };

export function sendRequest(shop: Shop, { command, sale, body, waitS, amountMinor }: TillRequest): Sent {
  const door = shop.process?.door ?? null;
  const askedOrder = shop.order;
  const reference = textOf(body['retrieval_reference_number']);
  shop.trace(() => `POS: ${command} ${JSON.stringify(body)}${waitS === null ? '' : ` wait=${waitS}`}`);
  // Nobody is there who could have heard of it.
  if (door === null) return { answer: Promise.resolve(nobody), goAway: () => {}, note: () => {} };
  const asked: Asked = { command, sale, reference, askedOrder, amountMinor };
  const clock = shop.process?.clock ?? shop.world;
  let request: DoorRequest | null = null;
  const wish = {
    reference: reference ?? '',
    order: askedOrder,
    gone: () => request?.gone === true,
    arrivedAt: () => request?.arrivedAt ?? { nowMs: clock.now(), elapsedMs: clock.elapsed() },
  };
  // Before it is asked: the bridge may begin at once.
  if (command === 'CreatePayment') shop.wanting.add(wish);
  const made = door.ask(command, body, waitS);
  request = made;
  sale?.requests.add(made);
  const answer = made.answer.then((given) => {
    shop.wanting.delete(wish);
    sale?.requests.delete(made);
    return given;
  });
  return { answer, goAway: () => made.goAway(), note: (given) => noteAnswer(shop, asked, given) };
}

interface Asked {
  command: CommandName;
  sale: Sale | null;
  reference: string | null;
  askedOrder: number;
  amountMinor: number | null;
}

function noteAnswer(
  shop: Shop,
  { command, sale, reference, askedOrder, amountMinor }: Asked,
  answer: DoorAnswer,
): void {
  if (answer.kind === 'lost') {
    shop.count(`answer ${command} lost`);
    return shop.trace(() => `POS: no answer to ${command} ${reference ?? ''}`);
  }
  const parts = { kind: 'answer', askedOrder, command, reference, amountMinor } as const;
  if (!answer.success) {
    shop.count(`answer ${command} ${answer.code}`);
    shop.trace(
      () => `POS: ${command} ${reference ?? ''} refused: ${answer.code}, ${answer.paymentState ?? ''}`,
    );
    const { code, paymentState } = answer;
    const nothing = { status: null, approvedAmount: null, repeated: null, batch: null };
    shop.note({ ...parts, success: false, code, paymentState, ...nothing });
    return;
  }
  const { body } = answer;
  const status = textOf(body['transaction_status']);
  if (sale !== null && status !== null) sale.status = status;
  if (sale !== null && command === 'VoidPayment') sale.status = 'voided';
  shop.count(`answer ${command} ${status ?? 'success'}`);
  shop.trace(() => `POS: ${command} ${reference ?? ''} answered: ${status ?? 'success'}`);
  const batch = body['batch'] as AnswerRecord['batch'] | undefined;
  shop.note({
    ...parts,
    success: true,
    code: null,
    paymentState: null,
    status,
    approvedAmount: textOf(body['approved_amount']),
    repeated: typeof body['repeated'] === 'boolean' ? body['repeated'] : null,
    batch: batch ?? null,
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
