/** 0250 and 0280 tell the last sale, 0260 tells all sales of the open batch. */
import { approvedCode, noSaleStoredCode } from '../../bridge/terminals/transbank/wire/index.ts';
import { endWithAnswer, refusedValues, saleValues, sendAnswer, shopValues } from './answers.ts';
import type { Exchange } from './exchange.ts';
import type { ChargedEntry } from './ledger.ts';
import type { Terminal } from './terminal.ts';

/** Sales of the open batch that the terminal still tells of, oldest first. */
function toldSales({ dialect, memory }: Terminal): ChargedEntry[] {
  return memory.sales
    .filter(({ voided }) => !voided || dialect.voidedSales === 'listed')
    .map(({ sale }) => sale);
}

/** A declined attempt is no sale, but for terminals whose dialect shows it. */
export async function serveLastSale(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { lastRefusal } = terminal.memory;
  if (lastRefusal !== null) {
    const { code, ticket, amount_minor } = lastRefusal;
    return endWithAnswer(terminal, exchange, '0260', refusedValues(terminal, code, ticket, amount_minor));
  }
  return tellLast(terminal, exchange, '0260', (sale) => sale.provider_commerce_code === null);
}

export async function serveLastProviderSale(terminal: Terminal, exchange: Exchange): Promise<void> {
  return tellLast(terminal, exchange, '0281', (sale) => sale.provider_commerce_code !== null);
}

async function tellLast(
  terminal: Terminal,
  exchange: Exchange,
  command: string,
  isMeant: (sale: ChargedEntry) => boolean,
): Promise<void> {
  const last = toldSales(terminal).findLast(isMeant);
  const values = last === undefined ? shopValues(terminal, noSaleStoredCode) : saleValues(terminal, last);
  return endWithAnswer(terminal, exchange, command, values);
}

/** Line by line, each of which is acknowledged; the one that names no sale is the end. Or on paper only. */
export async function serveDetail(terminal: Terminal, exchange: Exchange): Promise<void> {
  if (exchange.request.values.sendToEcr !== '1') return;
  const sales = toldSales(terminal);
  for (const sale of sales) {
    const told = saleValues(terminal, sale);
    const isBlank = terminal.dialect.detailApprovals === 'blank';
    const line = isBlank ? { ...told, authorizationCode: '' } : told;
    const delivery = await sendAnswer(terminal, exchange, '0261', line);
    if (delivery !== 'delivered') return;
  }
  const isEmpty = sales.length === 0 && terminal.dialect.emptyDetail === 'code_11';
  return endWithAnswer(
    terminal,
    exchange,
    '0261',
    shopValues(terminal, isEmpty ? noSaleStoredCode : approvedCode),
  );
}
