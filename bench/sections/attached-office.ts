/**
 * A whole payment (CreatePayment with `Prefer: wait` until it is approved) on a bridge that sends its journal to a head office,
 * against the same on a bridge without one, and on a bridge whose office cannot be reached. Once on terminals that take about
 * a second, once on such that take no time. In a shop the office is on another computer. Here it stands still while a payment
 * is made, of either bridge, and works on what it was sent in the rests between them. Its data lies in PGlite.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, pairOf, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { builtBridge } from '../world/bundle.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { bridgeOptions, startServer, type Running } from '../world/processes.ts';
import { createPayment, newReference, payOnce, untilReady } from '../world/till.ts';
import type { Section } from './section.ts';

interface Plan {
  what: string;
  pace: number;
  warmUpPayments: number;
  blocks: number;
  paymentsInABlock: number;
}

const plans: readonly Plan[] = [
  { what: 'terminals that take a second', pace: 1, warmUpPayments: 5, blocks: 15, paymentsInABlock: 3 },
  { what: 'terminals that take no time', pace: 0, warmUpPayments: 60, blocks: 40, paymentsInABlock: 15 },
];
const paymentWaitS = 60;
/** A customer takes longer; the journal goes up in these pauses, too. */
const restMs = 30;
const arrivalLimitMs = 60_000;
/** Nobody listens there. */
const nobody = 'http://127.0.0.1:9';

export const attachedOfficeSection: Section = {
  name: 'attached-office',
  title: 'A payment on a bridge that sends its journal to a head office, against one that does not',
  ours: 'with',
  other: 'without',
  ratio: 'times without',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[]> {
  const folder = bench.folder();
  const office = await startServer(bench, [builtBridge(), 'office', '--port=0', `--data-dir=${folder}`]);
  const url = `http://127.0.0.1:${office.port}`;
  const administrator = readFileSync(join(folder, 'administrator-key'), 'utf8').trim();
  const comparisons: Comparison[] = [];
  for (const plan of plans) {
    const without = await startBridge(bench, plan, []);
    const code = await codeOf(url, administrator);
    const attached = await startBridge(bench, plan, [`--office=${url}`, `--office-code=${code}`]);
    comparisons.push(
      await compareWith(bench, plan, 'an office that takes it', { attached, without, office }),
    );
    bench.say('waiting for the office to have all');
    await untilArrived(url, administrator, attached.paid);
    const away = await startBridge(bench, plan, [`--office=${nobody}`, '--office-code=AAAA-AAAA-AAAA-AAAA']);
    const bridges = { attached: away, without, office };
    comparisons.push(await compareWith(bench, plan, 'an office that cannot be reached', bridges));
  }
  return comparisons;
}

interface PaidBridge {
  caller: Caller;
  /** References. */
  paid: string[];
}

async function startBridge(bench: Bench, { pace }: Plan, more: readonly string[]): Promise<PaidBridge> {
  const options = [...bridgeOptions(bench.folder()), `--pace=${pace}`, ...more];
  const { port } = await startServer(bench, [builtBridge(), ...options]);
  const caller = createCaller(port);
  bench.atEnd(() => caller.close());
  await payOnce(caller);
  return { caller, paid: [] };
}

async function compareWith(
  bench: Bench,
  { what, warmUpPayments, blocks, paymentsInABlock }: Plan,
  kind: string,
  { attached, without, office }: { attached: PaidBridge; without: PaidBridge; office: Running },
): Promise<Comparison> {
  const both = (count: number) =>
    alternate(
      count,
      () => pay(attached, office),
      () => pay(without, office),
    );
  const title = `${what}, ${kind}, ms`;
  bench.say(`${title}: warming up`);
  await both(warmUpPayments);
  bench.say(title);
  const pairs: Pair[] = [];
  for (let block = 0; block < blocks; block += 1) pairs.push(pairOf(await both(paymentsInABlock), medianOf));
  return compare({ what: title, pairs, ratio: 'cost', values: 'costs', aim: { atMost: 1.02 } });
}

/** The office stands still as long as it takes. */
async function pay({ caller, paid }: PaidBridge, { child: office }: Running): Promise<number> {
  const reference = newReference();
  office.kill('SIGSTOP');
  const answer = await createPayment(caller, reference, paymentWaitS).finally(() => office.kill('SIGCONT'));
  if (demandSuccess(answer)['transaction_status'] !== 'approved') throw new Error(answer.text);
  paid.push(reference);
  await untilReady(caller);
  await sleep(restMs);
  return answer.tookMs;
}

/** What was measured has to have gone up, or it was no bridge with an office. */
async function untilArrived(
  url: string,
  administrator: string,
  references: readonly string[],
): Promise<void> {
  const limit = performance.now() + arrivalLimitMs;
  const last = references.at(-1) ?? '';
  while (performance.now() < limit) {
    const query = `reference=${encodeURIComponent(last)}&simulated=true`;
    const answer = await fetch(`${url}/office/v1/payments?${query}`, {
      headers: asAdministrator(administrator),
    });
    if (!answer.ok) throw new Error(`the office answers ${answer.status}: ${await answer.text()}`);
    const { payments } = (await answer.json()) as { payments: unknown[] };
    if (payments.length > 0) return;
    await sleep(500);
  }
  throw new Error(`the office does not have ${last}`);
}

async function codeOf(url: string, administrator: string): Promise<string> {
  const answer = await fetch(`${url}/office/v1/codes`, {
    method: 'POST',
    headers: { ...asAdministrator(administrator), 'content-type': 'application/json' },
    body: JSON.stringify({ shop: 'Bench' }),
  });
  if (!answer.ok) throw new Error(`the office answers ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { code: string }).code;
}

function asAdministrator(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
