/** What the bridge leaves to a person. The person here looks into the terminal's own ledger, so the run can go on. */
import { z } from 'zod';
import { controlAnswerSchema } from '../../src/contract/control-channel.ts';
import type { Resolution } from '../../src/contract/operation.ts';
import { countsOf, type LedgerLine } from '../support/ledger.ts';
import { readJournal } from './journal-export.ts';
import type { ProtocolCase } from '../support/protocol-cases.ts';
import type { ShopBooks } from './shop.ts';

const listedSchema = z.object({
  journals: z.array(z.object({ doubts: z.array(z.unknown()) })),
});

export interface Doubt {
  operationId: string;
  kind: 'sale' | 'void' | 'batch_close';
  reference: string | null;
  amount: string | null;
  /** An approving result is stored: then nothing but a person may say that the money was not taken. */
  approved: boolean;
  /** All that the bridge knows, on one line. */
  words: string;
}

/** The protocol cannot tell, and the bridge says so. */
export function isOfProtocol({ kind, words }: Doubt, { leavesToPerson }: ProtocolCase): boolean {
  return leavesToPerson[kind]?.test(words) === true;
}

/** The protocol cannot tell any more, because a process has died. */
export function isOfCrash({ kind, words }: Doubt, { leavesToPersonAfterCrash }: ProtocolCase): boolean {
  return leavesToPersonAfterCrash?.[kind]?.test(words) === true;
}

/** The protocol cannot tell of a terminal that holds nothing else of ours, and this is one: so says its ledger. */
export function isOfEmptyTerminal(
  { kind, amount, words }: Doubt,
  { leavesToPersonWhenEmpty }: ProtocolCase,
  ledger: LedgerLine[],
): boolean {
  if (leavesToPersonWhenEmpty?.[kind]?.test(words) !== true) return false;
  const batch = ledger.slice(ledger.findLastIndex(({ event }) => event === 'settled') + 1);
  return batch.every((line) => line.amount === amount || countsOf(batch, line.amount).reversed > 0);
}

/** Those that the bridge will not decide by itself, as `tillbridge doubts --json` lists them. */
export async function needingPerson(shop: ShopBooks): Promise<Doubt[]> {
  const { exitCode, stdout } = await shop.command('doubts', '--json');
  const json = stdout.split('\n').find((line) => line.startsWith('{'));
  if (exitCode !== 0 || json === undefined) return [];
  const listed = listedSchema.parse(JSON.parse(json)).journals.flatMap(({ doubts }) => doubts);
  const answer = controlAnswerSchema.parse({ answer: 'doubts', doubts: listed });
  if (answer.answer !== 'doubts') return [];
  return answer.doubts
    .filter(({ needsDecision }) => needsDecision)
    .map(({ operationId, kind, reference, amount, facts }) => ({
      operationId,
      kind,
      reference,
      amount,
      approved: facts.some(({ event }) => event.type === 'result_received' && event.result.approved),
      words: `${kind} ${reference ?? ''}: ${facts.map(({ seq, event }) => `${seq} ${JSON.stringify(event)}`).join(' | ')}`,
    }));
}

export async function resolveByLedger(shop: ShopBooks, doubt: Doubt): Promise<void> {
  const outcome = await truthOf(shop, doubt);
  const by = ['--by', 'Crash Test', '--reason', 'the ledger of the terminal says so'];
  const { exitCode, output } = await shop.command('resolve', doubt.operationId, '--outcome', outcome, ...by);
  if (exitCode !== 0) throw new Error(`cannot resolve ${doubt.operationId}: ${output}`);
}

async function truthOf(shop: ShopBooks, { kind, amount }: Doubt): Promise<Resolution> {
  const ledger = shop.ledger();
  if (kind === 'batch_close') {
    // Not every terminal writes down that it closed an empty batch.
    const ended = (await readJournal(shop)).filter(
      ({ event }) =>
        event.type === 'operation_ended' && event.outcome === 'closed' && event.settled.length > 0,
    );
    const closed = ledger.filter((line) => line.event === 'settled' && line.count !== 0);
    return closed.length > ended.length ? 'closed' : 'not-closed';
  }
  const { charged, autoReversed, reversed } = countsOf(ledger, amount ?? '');
  if (kind === 'void') return reversed > 0 ? 'voided' : 'not-voided';
  return charged - autoReversed > 0 ? 'charged' : 'not-charged';
}
