/** The POS: it pays, repeats, asks, cancels, voids, closes, gives up and mixes up references. */
import { formatAmount } from '../../src/contract/money.ts';
import type { CommandName, DoorAnswer, DoorRequest } from './door.ts';
import type { Shop } from './shop.ts';

interface Sale {
  reference: string;
  amountMinor: number;
  /** As far as the POS knows. */
  status: string | null;
  /** Requests for it that wait for an answer. */
  requests: Set<DoorRequest>;
}

export interface Till {
  readonly sales: readonly Sale[];
  /** The newest sale that is not over for the POS. */
  readonly current: Sale | null;
  begin(reference: string, amountMinor: number): Sale;
  /** Until it is decided, the patience is over, or the shop will not take it. */
  pay(sale: Sale, waitS: number | null, patienceMs: number): Promise<void>;
  create(sale: Sale, waitS: number | null, amountMinor?: number): Promise<DoorAnswer>;
  query(sale: Sale, waitS: number | null): Promise<DoorAnswer>;
  cancel(sale: Sale | null): Promise<DoorAnswer>;
  void(sale: Sale): Promise<DoorAnswer>;
  submitBatch(): Promise<DoorAnswer>;
  /** The POS hangs up on everything that it waits for. */
  goAway(): void;
}

const decided: readonly (string | null)[] = [
  'approved',
  'declined',
  'cancelled',
  'failed',
  'voided',
  'settled',
];
const retryMs = 1_500;
const longestRetryMs = 12_000;
/** Longer than the bridge may take for any answer. */
const hangUpMs = 330_000;

export function createTill(shop: Shop): Till {
  const { world } = shop;
  const sales: Sale[] = [];
  let current: Sale | null = null;

  async function ask(
    command: CommandName,
    sale: Sale | null,
    body: { [field: string]: unknown },
    waitS: number | null,
    amountMinor: number | null = null,
  ): Promise<DoorAnswer> {
    const door = shop.process?.door ?? null;
    const askedOrder = shop.order;
    shop.trace(() => `POS: ${command} ${JSON.stringify(body)}${waitS === null ? '' : ` wait=${waitS}`}`);
    if (door === null) return { kind: 'lost' };
    const clock = shop.process?.clock ?? world;
    let request: DoorRequest | null = null;
    const wish = {
      reference: sale?.reference ?? '',
      order: askedOrder,
      gone: () => request?.gone === true,
      arrivedAt: () => request?.arrivedAt ?? { nowMs: clock.now(), elapsedMs: clock.elapsed() },
    };
    // Before it is asked: the bridge may begin at once.
    if (command === 'CreatePayment') shop.wanting.add(wish);
    const asked = door.ask(command, body, waitS);
    request = asked;
    sale?.requests.add(asked);
    const stopWaiting = world.after(hangUpMs, () => asked.goAway());
    const answer = await asked.answer;
    stopWaiting();
    shop.wanting.delete(wish);
    sale?.requests.delete(asked);
    note(command, sale, askedOrder, amountMinor, answer);
    return answer;
  }

  function note(
    command: CommandName,
    sale: Sale | null,
    askedOrder: number,
    amountMinor: number | null,
    answer: DoorAnswer,
  ): void {
    const reference = sale?.reference ?? null;
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
    const batch = body['batch'] as { count: number; total: string; reconciled: boolean } | null | undefined;
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

  const till: Till = {
    sales,
    get current() {
      return current;
    },
    begin(reference, amountMinor) {
      const sale: Sale = { reference, amountMinor, status: null, requests: new Set() };
      sales.push(sale);
      return sale;
    },
    async pay(sale, waitS, patienceMs) {
      const untilMs = world.elapsed() + patienceMs;
      current = sale;
      try {
        let known = false;
        let pauseMs = retryMs;
        while (world.elapsed() < untilMs) {
          const answer = known ? await till.query(sale, waitS) : await till.create(sale, waitS);
          if (answer.kind === 'answer' && answer.success) {
            known = true;
            if (decided.includes(sale.status)) return;
          } else if (answer.kind === 'answer' && answer.code === 'payment_not_found') known = false;
          else if (answer.kind === 'answer' && answer.code === 'withdrawn') return;
          await world.sleep(pauseMs);
          pauseMs = Math.min(longestRetryMs, pauseMs * 2);
        }
      } finally {
        if (current === sale) current = null;
      }
    },
    create(sale, waitS, amountMinor = sale.amountMinor) {
      const body = {
        amount: formatAmount(amountMinor, shop.protocol.currency),
        retrieval_reference_number: sale.reference,
      };
      return ask('CreatePayment', sale, body, waitS, amountMinor);
    },
    query: (sale, waitS) => ask('QueryPayment', sale, { retrieval_reference_number: sale.reference }, waitS),
    cancel(sale) {
      const body = sale === null ? {} : { retrieval_reference_number: sale.reference };
      return ask('CancelPayment', sale, body, null);
    },
    void: (sale) => ask('VoidPayment', sale, { retrieval_reference_number: sale.reference }, null),
    submitBatch: () => ask('SubmitBatch', null, {}, null),
    goAway() {
      for (const sale of sales) for (const request of sale.requests) request.goAway();
    },
  };
  return till;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
