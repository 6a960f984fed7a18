/** 1200: a credit sale that is still in memory is undone, once. */
import {
  alreadyVoidedCode,
  approvedCode,
  loadKeysCode,
} from '../../bridge/terminals/transbank/wire/index.ts';
import { endWithAnswer, shopValues } from './answers.ts';
import type { Scenario } from '../scenarios.ts';
import { cardByKey } from './cards.ts';
import { draftVoid } from './drafts.ts';
import type { Exchange } from './exchange.ts';
import { decide } from './money-operation.ts';
import type { Terminal } from './terminal.ts';
import type { StoredSale } from './terminal-memory.ts';

const nothingToVoidCode = '05';
const debitCode = '08';

export async function serveVoid(terminal: Terminal, exchange: Exchange): Promise<void> {
  const operationNumber = exchange.request.values.operationNumber?.trim() ?? '';
  const stored = /^\d{1,6}$/.test(operationNumber) ? terminal.memory.find(operationNumber) : null;
  const problem = terminal.wantsKeys ? loadKeysCode : voidProblem(stored);
  const refuse = (code: string, scenario?: Scenario) =>
    endWithAnswer(terminal, exchange, '1210', { ...shopValues(terminal, code), operationNumber }, scenario);
  if (problem !== null || stored === null) return refuse(problem ?? nothingToVoidCode);

  const scenario = terminal.takeScenario('approved');
  const decision = await decide(terminal, exchange, scenario, { told: false, withCard: false });
  if (decision.kind === 'broken_off') return;
  if (decision.kind === 'refused') return refuse(decision.code, scenario);
  const reversed = draftVoid(terminal, stored.sale);
  terminal.record([reversed]);
  return endWithAnswer(
    terminal,
    exchange,
    '1210',
    {
      ...shopValues(terminal, approvedCode),
      authorizationCode: reversed.approval_code,
      operationNumber: reversed.receipt_number,
    },
    scenario,
  );
}

/** The code that refuses to undo a sale, or null. */
export function voidProblem(stored: StoredSale | null): string | null {
  if (stored === null) return nothingToVoidCode;
  if (stored.voided) return alreadyVoidedCode;
  return cardByKey(stored.sale.card).type === 'DB' ? debitCode : null;
}
