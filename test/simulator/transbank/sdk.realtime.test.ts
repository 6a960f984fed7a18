/** The simulator against the maker's own SDK for Node.js, as a till that is not ours, over a pseudo-terminal. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sdk from 'transbank-pos-sdk';
import { describe, expect, it } from 'vitest';
import { readLedger } from '../../support/ledger.ts';
import { needs } from '../../support/needs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { serveTerminalForSdk } from '../../support/transbank-sdk.ts';

const { POSIntegrado } = sdk;

describe.skipIf(!needs('pseudo-terminals'))('the SDK of Transbank', () => {
  it('polls, loads keys, sells, asks for the last sale and the totals, voids and closes', async () => {
    const folder = tempFolder('transbank-sdk');
    const ledgerFile = join(folder, 'ledger.jsonl');
    const served = await serveTerminalForSdk(ledgerFile);
    const till = new POSIntegrado();
    try {
      expect(await till.connect(served.path)).toBe(true);
      expect(await till.poll()).toBe(true);
      expect(await till.loadKeys()).toMatchObject({ functionCode: 810, successful: true });

      const steps: number[] = [];
      const sold = await till.sale(2_400, 'ABC123', true, ({ responseCode }) => steps.push(responseCode));
      expect(sold).toMatchObject({
        functionCode: 210,
        successful: true,
        responseMessage: 'Aprobado',
        terminalId: 'TB000001',
        ticket: 'ABC123',
        amount: 2_400,
        last4Digits: 6_590,
        operationNumber: '000001',
        cardType: 'CR',
        cardBrand: 'VI',
        tip: 0,
      });
      expect(steps).toEqual([78, 81, 82]);
      expect(await till.sale(2_401, 'ABC124', false, () => {})).toMatchObject({
        successful: false,
        responseCode: 1,
        authorizationCode: '',
      });
      expect(await till.getLastSale()).toMatchObject({ ...sold, functionCode: 260 });
      expect(await till.getTotals()).toMatchObject({ successful: true, txCount: 1, txTotal: 2_400 });
      expect(await till.refund(sold.operationNumber)).toMatchObject({
        functionCode: 1_210,
        successful: true,
      });
      expect(await till.refund(sold.operationNumber)).toMatchObject({ successful: false, responseCode: 4 });
      expect(await till.closeDay()).toMatchObject({ functionCode: 510, successful: true });
      expect(await till.getTotals()).toMatchObject({ txCount: 0, txTotal: 0 });
    } finally {
      await till.disconnect();
      await served.close();
    }
    expect(readLedger(ledgerFile).map(({ event }) => event)).toEqual(['charged', 'reversed', 'settled']);
    rmSync(folder, { recursive: true, force: true });
  });
});
