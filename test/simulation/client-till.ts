/** A POS that does everything with the client of `tillbridge/pos`, over a bad network, and that crashes now and then. */
import { formatAmount } from '../../src/contract/money.ts';
import { createPosClient, PosInputError, type PayOutcome, type PosClient } from '../../src/pos/index.ts';
import type { Shop } from './shop.ts';
import { createTillNetwork } from './till-network.ts';
import type { Sale } from './till-requests.ts';
import type { Till } from './till.ts';

/** What a cashier waits for who does not look at the display. */
const shortMs = 10_000;
/** A POS that starts again asks for what it has in its files. */
const restartMs = 2_000;
const resumeMs = 30_000;

/** What an answer does not say. */
const nothing = {
  code: null,
  paymentState: null,
  status: null,
  approvedAmount: null,
  repeated: null,
  batch: null,
} as const;

export function createClientTill(shop: Shop): Till {
  const { world } = shop;
  const sales: Sale[] = [];
  let current: Sale | null = null;
  let life = new AbortController();
  const random = shop.random('network');
  /** Who asks for what nobody gave him does it for the sale in hand. */
  const saleOf = (reference: string | null) =>
    reference === null ? null : (sales.find((one) => one.reference === reference) ?? current ?? null);
  const network = createTillNetwork(shop, random, saleOf);
  const start = (): PosClient =>
    createPosClient({ fetch: network, clock: world, random: () => random.fraction() });
  let client = start();

  /** Notes what the call came to. */
  async function settle(sale: Sale, amountMinor: number, call: () => Promise<PayOutcome>): Promise<void> {
    const beganOrder = shop.order;
    try {
      note(sale, amountMinor, beganOrder, await call());
    } catch (error) {
      // The reference is under way with another amount.
      if (!(error instanceof PosInputError)) throw error;
      shop.count('client refuses');
    }
  }

  /** For the checker an outcome is one more answer: what was said at last. */
  function note(sale: Sale, amountMinor: number, beganOrder: number, end: PayOutcome): void {
    shop.count(`client ${end.outcome}${end.outcome === 'not_started' ? ` ${end.code}` : ''}`);
    shop.trace(() => `client: ${sale.reference} ${end.outcome}: ${end.message}`);
    if (end.outcome === 'unknown') return;
    const { reference } = sale;
    const parts = { kind: 'answer', command: 'CreatePayment', reference, amountMinor } as const;
    if (end.outcome === 'not_started') {
      const refusal = { success: false, code: end.code, paymentState: 'not_started' } as const;
      // No request of before may still begin it.
      shop.note({ ...nothing, ...parts, ...refusal, askedOrder: shop.order });
      return;
    }
    const { transaction_status: status } = end.payment;
    const approvedAmount = end.outcome === 'approved' ? end.approvedAmount : null;
    shop.note({ ...nothing, ...parts, success: true, status, approvedAmount, askedOrder: beganOrder });
  }

  /** Notes that the client said of this command that it was done. */
  function noteDone(sale: Sale, command: 'CancelPayment' | 'VoidPayment'): void {
    const { reference } = sale;
    const parts = { kind: 'answer', command, reference, amountMinor: null, success: true } as const;
    shop.note({ ...nothing, ...parts, askedOrder: shop.order });
  }

  const amountOf = (minor: number) => formatAmount(minor, shop.protocol.currency);
  const pay = (sale: Sale, amountMinor: number, withinMs: number) => {
    const { signal } = life;
    const wish = { reference: sale.reference, amount: amountOf(amountMinor) };
    return settle(sale, amountMinor, () => client.pay(wish, { withinMs, signal }));
  };

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
    async pay(sale, _waitS, patienceMs) {
      current = sale;
      try {
        await pay(sale, sale.amountMinor, patienceMs);
      } finally {
        if (current === sale) current = null;
      }
    },
    create: (sale, _waitS, amountMinor = sale.amountMinor) => pay(sale, amountMinor, shortMs),
    query: (sale) => client.query(sale.reference),
    async cancel(sale) {
      if (sale === null) return;
      const { outcome } = await client.cancel(sale.reference);
      if (outcome === 'cancelled') noteDone(sale, 'CancelPayment');
      shop.count(`client cancel ${outcome}`);
    },
    async void(sale) {
      const { outcome } = await client.void(sale.reference);
      if (outcome === 'voided') noteDone(sale, 'VoidPayment');
      shop.count(`client void ${outcome}`);
    },
    async submitBatch() {
      const { outcome } = await client.closeDay();
      shop.count(`client closeDay ${outcome}`);
    },
    goAway() {
      const open = current;
      life.abort();
      life = new AbortController();
      client = start();
      if (open === null) return;
      world.after(restartMs, () => {
        const { signal } = life;
        void settle(open, open.amountMinor, () =>
          client.resume(open.reference, { withinMs: resumeMs, signal }),
        );
      });
    },
  };
}
