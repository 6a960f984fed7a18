/** Two terminals on a bridge that is really there: the window shows, voids and closes each where it is. */
import { afterEach, describe, expect, it } from 'vitest';
import words from '../../src/locales/en.json' with { type: 'json' };
import { needs } from '../support/needs.ts';
import { headlessWay, type OpenConsole } from './way.ts';

const [ofMain, ofBar] = [words.terminals.main, words.terminals.named.replace('{{name}}', 'bar')];

describe.skipIf(!needs('chromium'))('the console of two terminals', () => {
  let opened: OpenConsole | null = null;
  afterEach(async () => {
    await opened?.close();
    opened = null;
  });

  it('is about the one that was chosen, finds payments on both, and voids and closes on the right one', async () => {
    const environment = { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' };
    opened = await headlessWay.open({ terminal: 'simulator', environment });
    const { page, till } = opened;
    const pos = await till();
    const terminal = (name: string) => page.locator(`[data-terminal="${name}"]`);
    for (const name of ['main', 'bar'])
      await terminal(name).getByText(words.terminal.connection.ready).waitFor();
    const pay = (name: string, amount: string, reference: string) =>
      pos.post(
        '/CreatePayment',
        { amount, retrieval_reference_number: reference },
        { 'x-terminal': name, prefer: 'wait=30' },
      );
    const statusOf = async (reference: string) => (await pos.query(reference)).body['transaction_status'];
    await pay('main', '12.00', 'M-1');
    await pay('bar', '13.00', 'B-1');

    await terminal('bar').click();
    await page.getByRole('main').getByText('B-1').first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('M-1');
    await page.getByRole('banner').getByText(`${ofBar}:`).waitFor();

    await page.evaluate('window.location.hash = "#/payments?text=M-1"');
    await page.getByRole('link', { name: 'M-1' }).click();
    const detail = page.getByRole('region', { name: /M-1/ });
    await detail.getByText(ofMain).first().waitFor();
    await detail.getByRole('button', { name: words.payments.void }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(ofMain).waitFor();
    await dialog.getByRole('button', { name: words.payments.void }).click();
    await detail.locator('[data-status="voided"]').first().waitFor();
    expect([await statusOf('M-1'), await statusOf('B-1')]).toEqual(['voided', 'approved']);

    await page.evaluate('window.location.hash = "#/batches"');
    await page.getByText('€13.00').first().waitFor();
    await page.getByRole('button', { name: words.batches.close }).click();
    await dialog.getByText(ofBar).waitFor();
    await dialog.getByRole('button', { name: words.batches.close }).click();
    await page.locator('.open-batch-news .note-good').waitFor();
    expect(await statusOf('B-1')).toBe('settled');
  });
});
