/**
 * What makes a payment or a reversal final (ZVT PA00P015, chapter 4): the till's positive answer to the good 04 0F, and
 * to every receipt if receipts go to it as print data. Anything else, or nothing, and the terminal undoes it.
 */
import { amountToBcd, hex, bitmap } from '../bridge/terminals/zvt/wire/index.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Scenario } from './scenarios.ts';
import type { Terminal } from './simulated-terminal.ts';

export type Acknowledgement =
  | { kind: 'final' }
  /** 84 9D: only goods of this amount were handed out. */
  | { kind: 'partial'; amountMinor: number }
  /** `tillListens`: the till is still there and can be told how it ends. */
  | { kind: 'refused'; reason: string; tillListens: boolean };

export interface ResultToAcknowledge {
  statusInformation: Uint8Array;
  receipts: readonly Uint8Array[];
  scenario: Scenario;
  /** BMP 02: how often the till may answer 84 9C; null: as often as it likes. */
  maxNotYet: number | null;
  /** BMP 01, or null for T3. */
  answerTimeoutMs: number | null;
  /** 84 9D is possible up to this amount; null: not for this command. */
  partialUpToMinor: number | null;
}

const notYet = 0x9c;
const partialIssue = 0x9d;
/** "As often as it likes" has an end too: over half an hour at 2 s each. */
const mostNotYet = 1_000;

export async function askForAcknowledgement(
  terminal: Terminal,
  exchange: Exchange,
  result: ResultToAcknowledge,
): Promise<Acknowledgement> {
  const options = {
    answerTimeoutMs: result.answerTimeoutMs ?? undefined,
    cutWhenDelivered: result.scenario === 'cut_before_acknowledgement' ? () => terminal.cutLine() : undefined,
  };
  let answer = await exchange.sendAndWait(result.statusInformation, options);
  for (let asked = 0; isCode(answer, notYet) && asked < (result.maxNotYet ?? mostNotYet); asked += 1) {
    await exchange.pause(terminal.timings.repeatStatusMs);
    answer = await exchange.sendAndWait(result.statusInformation, options);
  }
  const partialMinor = readPartialAmount(answer, result.partialUpToMinor);
  if (partialMinor === null && answer.kind !== 'positive') return refused(answer, 'the result');
  for (const receipt of result.receipts) {
    const printed = await exchange.sendAndWait(receipt);
    if (printed.kind !== 'positive') return refused(printed, 'a receipt');
  }
  return partialMinor === null ? { kind: 'final' } : { kind: 'partial', amountMinor: partialMinor };
}

function isCode(answer: Answer, code: number): boolean {
  return answer.kind === 'negative' && answer.code === code;
}

function readPartialAmount(answer: Answer, upToMinor: number | null): number | null {
  if (answer.kind !== 'negative' || answer.code !== partialIssue || upToMinor === null) return null;
  const amount = bitmap(answer.message, '04');
  if (amount === null) return null;
  const amountMinor = Number(hex(amount));
  const valid = Number.isInteger(amountMinor) && amountMinor > 0 && amountMinor <= upToMinor;
  return valid && hex(amountToBcd(amountMinor)) === hex(amount) ? amountMinor : null;
}

function refused(answer: Exclude<Answer, { kind: 'positive' }>, what: string): Acknowledgement {
  switch (answer.kind) {
    case 'negative': {
      const code = answer.code.toString(16).padStart(2, '0');
      return { kind: 'refused', reason: `the till answered ${what} with 84 ${code}`, tillListens: true };
    }
    case 'silent':
      return { kind: 'refused', reason: `no answer to ${what} within T3`, tillListens: true };
    case 'undelivered':
      return { kind: 'refused', reason: `the line did not acknowledge ${what}`, tillListens: false };
    case 'cut':
      return { kind: 'refused', reason: `the line was cut before ${what} was answered`, tillListens: true };
  }
}
