/** POS software that believes only what it was told, and holds the bridge to it. */
import { transactionStatusSchema, isDecided, type TransactionStatus } from '../../src/contract/operation.ts';
import { formatAmount, type Currency } from '../../src/contract/money.ts';
import type { Till, TillAnswer } from '../support/till.ts';

export interface Sale {
  readonly reference: string;
  /** No other sale of the run has this amount, so its lines in the ledger can be told. */
  readonly amount: string;
  transactionId: string | null;
  /** What the bridge said last; null while it has not said that it knows this sale. */
  status: TransactionStatus | null;
}

export interface Pos {
  readonly sales: readonly Sale[];
  /** What the bridge must never have said. */
  readonly complaints: string[];
  /** `scene`: the last two digits of the amount in minor units. */
  ring(scene: string): Sale;
  create(till: Till, sale: Sale, waitS?: number): Promise<TillAnswer | 'gone'>;
  query(till: Till, sale: Sale, waitS?: number): Promise<TillAnswer | 'gone'>;
  void(till: Till, sale: Sale, waitS?: number): Promise<TillAnswer | 'gone'>;
  cancel(till: Till, sale: Sale): Promise<TillAnswer | 'gone'>;
  batch(till: Till, waitS?: number): Promise<TillAnswer | 'gone'>;
  /** Each answer to a command, in a word or two. Whoever reads it may empty it. */
  readonly told: string[];
}

/** From these nothing leads away, and from `approved` only these lead away ("No other change ever happens"). */
const final: ReadonlySet<TransactionStatus> = new Set([
  'declined',
  'cancelled',
  'failed',
  'voided',
  'settled',
]);
const afterApproved: ReadonlySet<TransactionStatus> = new Set(['approved', 'voiding', 'voided', 'settled']);

/** In hundreds of minor units. */
const firstHundreds = 11;

export function createPos(runName: string, currency: Currency): Pos {
  const sales: Sale[] = [];
  const complaints: string[] = [];
  const told: string[] = [];

  async function ask(what: string, asking: Promise<TillAnswer>): Promise<TillAnswer | 'gone'> {
    const answer = await answerOf(asking);
    const status =
      answer === 'gone' ? null : transactionStatusSchema.safeParse(answer.body['transaction_status']);
    const said = `${what} ${answer === 'gone' ? answer : (answer.body.code ?? status?.data ?? 'done')}`;
    if (told.at(-1) !== said) told.push(said);
    return answer;
  }

  function learn(sale: Sale, body: TillAnswer['body']): void {
    const { reference } = sale;
    const id = body['transaction_id'];
    const told = transactionStatusSchema.safeParse(body['transaction_status']);
    if (body.code === 'payment_not_found' && sale.transactionId !== null) {
      complaints.push(`${reference} was accepted, and now it is not known`);
    }
    if (!told.success || typeof id !== 'string') return;
    if (sale.transactionId !== null && id !== sale.transactionId) {
      complaints.push(`${reference} has become another transaction`);
    }
    const was = sale.status;
    const now = told.data;
    const impossible =
      was !== null &&
      ((final.has(was) && now !== was) ||
        (was === 'approved' && !afterApproved.has(now)) ||
        (was === 'voiding' && !afterApproved.has(now)) ||
        (was === 'unknown' && now === 'in_progress'));
    if (impossible) complaints.push(`${reference} was ${was} and has become ${now}`);
    sale.transactionId = id;
    sale.status = now;
  }

  return {
    sales,
    complaints,
    told,
    ring(scene) {
      const number = sales.length + 1;
      const sale: Sale = {
        reference: `${runName}-${number}`,
        amount: formatAmount((firstHundreds + number) * 100 + Number(scene), currency),
        transactionId: null,
        status: null,
      };
      sales.push(sale);
      return sale;
    },
    async create(till, sale, waitS) {
      const answer = await ask('create', till.create(sale.amount, sale.reference, waitS));
      if (answer === 'gone') return answer;
      if (answer.body.success) learn(sale, answer.body);
      else if (sale.transactionId !== null && !isPassing(answer)) {
        complaints.push(`a repeat of ${sale.reference} was refused: ${JSON.stringify(answer.body)}`);
      }
      return answer;
    },
    async query(till, sale, waitS) {
      const answer = await answerOf(till.query(sale.reference, waitS));
      if (answer !== 'gone') learn(sale, answer.body);
      return answer;
    },
    void: (till, sale, waitS) => ask('void', till.void(sale.reference, waitS)),
    cancel: (till, sale) => ask('cancel', till.cancel(sale.reference)),
    batch: (till, waitS) => ask('batch', till.batch(waitS)),
  };
}

/** The answer, or that there is nobody to give one. */
async function answerOf(answer: Promise<TillAnswer>): Promise<TillAnswer | 'gone'> {
  try {
    return await answer;
  } catch {
    return 'gone';
  }
}

const passingCodes: ReadonlySet<string> = new Set([
  'terminal_busy',
  'payment_unresolved',
  'terminal_unavailable',
  'terminal_timeout',
]);

/** A refusal that says no more than "not now". */
export function isPassing(answer: TillAnswer): boolean {
  return !answer.body.success && passingCodes.has(answer.body.code ?? '');
}

export function isOpen(sale: Sale): boolean {
  return sale.status === null || !isDecided(sale.status);
}
