/** 0500 closes the batch, 0700 tells its totals, 0800 loads the keys that a new day needs. */
import { approvedCode } from '../../bridge/terminals/transbank/wire/index.ts';
import { endWithAnswer, shopValues } from './answers.ts';
import { draftSettlement } from './drafts.ts';
import type { Exchange } from './exchange.ts';
import { decide } from './money-operation.ts';
import type { Terminal } from './terminal.ts';

/** Empties the memory and changes the keys; without sales, too. */
export async function serveClose(terminal: Terminal, exchange: Exchange): Promise<void> {
  const scenario = terminal.takeScenario('approved');
  const decision = await decide(terminal, exchange, scenario, { told: false, withCard: false });
  if (decision.kind === 'broken_off') return;
  if (decision.kind === 'approved') {
    terminal.record([draftSettlement(terminal)]);
    terminal.wantsKeys = false;
  }
  const code = decision.kind === 'approved' ? approvedCode : decision.code;
  return endWithAnswer(terminal, exchange, '0510', shopValues(terminal, code), scenario);
}

export async function serveTotals(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { count, totalMinor } = terminal.memory.totals();
  return endWithAnswer(terminal, exchange, '0710', {
    responseCode: approvedCode,
    count: String(count),
    total: String(totalMinor),
  });
}

export async function serveLoadKeys(terminal: Terminal, exchange: Exchange): Promise<void> {
  await exchange.pause(terminal.timings.hostMs * terminal.timeScale);
  if (exchange.ended) return;
  terminal.wantsKeys = false;
  return endWithAnswer(terminal, exchange, '0810', shopValues(terminal, approvedCode));
}
