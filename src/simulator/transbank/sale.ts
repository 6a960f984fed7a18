/** 0200 and 0270: checks, customer, host, ledger, answer. The sale stands once the host has approved it. */
import {
  loadKeysCode,
  maxAmount,
  type TransbankMessage,
} from '../../bridge/terminals/transbank/wire/index.ts';
import { scenarioOf, type Scenario } from '../scenarios.ts';
import { endWithAnswer, providerValues, refusedValues, saleValues } from './answers.ts';
import { draftRefusal, draftSale, type Sale } from './drafts.ts';
import type { Exchange } from './exchange.ts';
import { decide } from './money-operation.ts';
import type { Terminal } from './terminal.ts';

const amountEntryError = '68';
const badTicketCode = '70';
const noAmountCode = '72';
const salesLimitCode = '76';
const numbersUsedUpCode = '67';
/** What the totals have room for: three digits. */
const maxSales = 999;
const maxTicketCharacters = 6;

export async function serveSale(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const answer = request.command === '0270' ? '0271' : '0210';
  const sale = readSale(request);
  const refuse = (code: string, scenario?: Scenario) =>
    endWithAnswer(
      terminal,
      exchange,
      answer,
      {
        ...refusedValues(terminal, code, sale.ticket, sale.amountMinor),
        ...providerValues(sale.providerCommerceCode),
      },
      scenario,
    );

  const problem = problemOf(terminal, request, sale);
  if (problem !== null) return refuse(problem);
  const scenario = terminal.takeScenario(scenarioOf(sale.amountMinor));
  const decision = await decide(terminal, exchange, scenario, {
    told: request.values.status === '1',
    withCard: true,
  });
  switch (decision.kind) {
    case 'broken_off':
      terminal.log.warn('a payment broke off before it was decided; nothing was charged', {
        ticket: sale.ticket,
      });
      return;
    case 'refused':
      if (terminal.dialect.lastSale === 'attempts') {
        terminal.record([draftRefusal(terminal, sale, decision.code)]);
      }
      return refuse(decision.code, scenario);
    case 'approved': {
      const charged = draftSale(terminal, sale);
      terminal.record([charged]);
      return endWithAnswer(terminal, exchange, answer, saleValues(terminal, charged), scenario);
    }
  }
}

function readSale({ command, values }: TransbankMessage): Sale {
  const { amount = '', ticket = '', providerCommerceCode = '' } = values;
  return {
    amountMinor: /^\d{1,9}$/.test(amount) ? Number(amount) : 0,
    ticket: ticket.slice(0, maxTicketCharacters),
    providerCommerceCode: command === '0270' ? providerCommerceCode : null,
  };
}

/** The code that refuses a sale before a card is asked for, or null. */
function problemOf(terminal: Terminal, { values }: TransbankMessage, sale: Sale): string | null {
  const { dialect, memory, wantsKeys } = terminal;
  const { totalMinor } = memory.totals();
  if (wantsKeys) return loadKeysCode;
  if (!/^\d{1,9}$/.test(values.amount ?? '')) return amountEntryError;
  if (sale.amountMinor === 0) return noAmountCode;
  if ((values.ticket ?? '').length > maxTicketCharacters) return badTicketCode;
  if (dialect.salesLimit !== null && memory.sales.length >= dialect.salesLimit) return salesLimitCode;
  return canHold(memory.sales.length, totalMinor, draftSale(terminal, sale).amount_minor)
    ? null
    : numbersUsedUpCode;
}

/** Whether the totals could still tell the batch with this sale. */
export function canHold(sales: number, totalMinor: number, amountMinor: number): boolean {
  return sales < maxSales && totalMinor + amountMinor <= maxAmount;
}
