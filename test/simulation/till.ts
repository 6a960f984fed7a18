/** The POS: it pays, repeats, asks, cancels, voids, closes, gives up and mixes up references. */
import { formatAmount } from '../../src/contract/money.ts';
import type { CommandName, DoorAnswer } from './door.ts';
import type { Shop } from './shop.ts';
import { sendRequest, type Sale } from './till-requests.ts';

export interface Till {
  readonly sales: readonly Sale[];
  /** The newest sale that is not over for the POS. */
  readonly current: Sale | null;
  begin(reference: string, amountMinor: number): Sale;
  /** Until it is decided, the patience is over, or the shop will not take it. */
  pay(sale: Sale, waitS: number | null, patienceMs: number): Promise<void>;
  create(sale: Sale, waitS: number | null, amountMinor?: number): Promise<unknown>;
  query(sale: Sale, waitS: number | null): Promise<unknown>;
  cancel(sale: Sale | null): Promise<unknown>;
  void(sale: Sale): Promise<unknown>;
  submitBatch(): Promise<unknown>;
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
    const sent = sendRequest(shop, { command, sale, body, waitS, amountMinor });
    const stopWaiting = world.after(hangUpMs, sent.goAway);
    const answer = await sent.answer;
    stopWaiting();
    sent.note(answer);
    return answer;
  }

  const create = (sale: Sale, waitS: number | null, amountMinor = sale.amountMinor) => {
    const body = {
      amount: formatAmount(amountMinor, shop.protocol.currency),
      retrieval_reference_number: sale.reference,
    };
    return ask('CreatePayment', sale, body, waitS, amountMinor);
  };
  const query = (sale: Sale, waitS: number | null) =>
    ask('QueryPayment', sale, { retrieval_reference_number: sale.reference }, waitS);

  return {
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
          const answer = known ? await query(sale, waitS) : await create(sale, waitS);
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
    create,
    query,
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
}
