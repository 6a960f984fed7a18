/** What a till does around the calls that are measured. */
import { sleep } from './bench.ts';
import { demandSuccess, type Answer, type Caller } from './caller.ts';

/** Between two looks at /health; a payment at pace 0 and the look at the terminal after it take less. */
export const lookMs = 12;
const readyLimitMs = 60_000;

let count = 0;

/** A reference that nobody has used. */
export function newReference(): string {
  count += 1;
  return `B-${process.pid}-${count}`;
}

export function createPayment(caller: Caller, reference: string, waitS?: number): Promise<Answer> {
  const body = { amount: '12.00', retrieval_reference_number: reference };
  return caller.post('/CreatePayment', body, waitS === undefined ? {} : { prefer: `wait=${waitS}` });
}

/** Asks /health until the terminal is idle and ready, with a rest before each look; gives the number of looks. */
export async function untilReady(caller: Caller, restMs = lookMs): Promise<number> {
  const limit = performance.now() + readyLimitMs;
  for (let looks = 1; ; looks += 1) {
    if (restMs > 0) await sleep(restMs);
    const { text } = await caller.get('/health');
    const { terminal } = JSON.parse(text) as { terminal: { connection: string } };
    if (terminal.connection === 'ready') return looks;
    if (performance.now() > limit) throw new Error(`the terminal does not become ready: ${text}`);
  }
}

/** One payment brought to its end: its reference, and what QueryPayment answers to it. */
export async function payOnce(
  caller: Caller,
): Promise<{ reference: string; answer: Record<string, unknown> }> {
  await untilReady(caller);
  const reference = newReference();
  const paid = demandSuccess(await createPayment(caller, reference, 60));
  if (paid['transaction_status'] !== 'approved') throw new Error(`not approved: ${JSON.stringify(paid)}`);
  const query = await caller.post('/QueryPayment', { retrieval_reference_number: reference });
  await untilReady(caller);
  return { reference, answer: demandSuccess(query) };
}
