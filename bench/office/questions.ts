/** What people ask the office, as `npm run office:load -- --growth` asks it of databases of different size. */
import type { Overview } from '../../src/office/overview.ts';
import { paymentSearchSchema, type Search } from '../../src/office/search.ts';
import type { ShopStates } from '../../src/office/shop-states.ts';
import type { FilledPayment } from '../../test/office/support/fill.ts';

export interface Answerer {
  search: Search;
  overview: Overview;
  shopStates: ShopStates;
}

export interface Question {
  name: string;
  /** Asks it of this payment, and gives whether the answer has it; null: it is about no payment. */
  ask(of: Answerer, payment: FilledPayment): Promise<boolean | null>;
  /** What it costs may grow with the days that there are, as nothing says which of them it is about. */
  everyDay?: boolean;
}

const hourMs = 60 * 60_000;

export const questions: readonly Question[] = [
  { name: 'a reference', ask: (of, { reference, ...rest }) => finds(of, rest, { reference }) },
  {
    name: 'last four digits and approval code',
    ask: (of, { cardDigits, approvalCode, ...rest }) => finds(of, rest, { cardDigits, approvalCode }),
  },
  {
    name: 'receipt, shop and day',
    ask: (of, payment) =>
      finds(of, payment, {
        receiptNumber: payment.receiptNumber,
        shopId: payment.shopId,
        ...around(payment.createdAt, 12 * hourMs),
      }),
  },
  {
    name: 'amount within two hours',
    ask: (of, payment) =>
      finds(of, payment, { amountMinor: payment.amountMinor, ...around(payment.createdAt, hourMs) }),
  },
  {
    name: 'a terminal within two hours',
    ask: (of, payment) =>
      finds(of, payment, { terminalId: payment.terminalId, ...around(payment.createdAt, hourMs) }),
  },
  {
    name: 'the newest 50 of a terminal',
    ask: (of, { terminalId }) => fills(of, { terminalId }),
  },
  { name: 'the newest 50 of a shop', ask: (of, { shopId }) => fills(of, { shopId }) },
  { name: 'the newest 50 of all', ask: (of) => fills(of, {}) },
  {
    name: 'one payment with its events',
    ask: async ({ search }, { paymentId }) => (await search.payment(paymentId)) !== null,
  },
  {
    name: 'what is open',
    async ask({ overview }) {
      await overview.open(500);
      return null;
    },
  },
  {
    name: 'the overview of the shops',
    async ask({ shopStates }) {
      await shopStates.shops();
      return null;
    },
  },
  {
    name: 'an amount that nobody paid, on any day',
    everyDay: true,
    async ask({ search }) {
      const { payments } = await search.payments(paymentSearchSchema.parse({ amountMinor: 1 }));
      return payments.length === 0;
    },
  },
];

async function finds(
  { search }: Answerer,
  { paymentId }: { paymentId: string },
  asked: object,
): Promise<boolean> {
  const { payments } = await search.payments(paymentSearchSchema.parse({ ...asked, limit: 200 }));
  return payments.some((payment) => payment.payment_id === paymentId);
}

async function fills({ search }: Answerer, asked: object): Promise<boolean> {
  const { payments } = await search.payments(paymentSearchSchema.parse({ ...asked, limit: 50 }));
  return payments.length === 50;
}

function around(createdAt: string, ms: number): { from: string; to: string } {
  const at = Date.parse(createdAt);
  return { from: new Date(at - ms).toISOString(), to: new Date(at + ms).toISOString() };
}
