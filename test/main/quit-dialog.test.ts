/** The question before quitting, without Electron: what it says of the operation on the terminal. */
import { describe, expect, it, vi } from 'vitest';
import type { ConsoleState, OperationOnTerminal } from '../../src/contract/console/index.ts';
import { translatorFor } from '../../src/locales/index.ts';

const showMessageBox = vi.hoisted(() => vi.fn(() => Promise.resolve({ response: 2 })));
vi.mock('electron', () => ({ dialog: { showMessageBox } }));
const { confirmQuit } = await import('../../src/main/quit.ts');

const currentOperation: NonNullable<ConsoleState['currentOperation']> = {
  operationId: 'O-1',
  kind: 'sale',
  reference: 'R-1',
  amountMinor: 1_200,
  currency: 'EUR',
  startedAt: '2026-01-01T12:00:00.000Z',
  cancelRequested: false,
};

describe('the question before quitting', () => {
  it.each(['de', 'x', ''])(
    'names amount and reference in the locale "%s", be it one or not',
    async (locale) => {
      const context = { window: {} as never, t: translatorFor('en'), locale };
      expect(await confirmQuit([currentOperation], context)).toBe('cancel');
      expect(showMessageBox).toHaveBeenLastCalledWith(
        context.window,
        expect.objectContaining({ detail: expect.stringMatching(/12[.,]00.*R-1/) as string }),
      );
    },
  );

  const asked = async (operations: OperationOnTerminal[], language: string) => {
    await confirmQuit(operations, { window: {} as never, t: translatorFor(language), locale: 'de' });
    const [, { message, detail }] = showMessageBox.mock.lastCall as unknown as [
      never,
      { message: string; detail: string },
    ];
    return [message, ...detail.split('\n').slice(0, -1)];
  };

  it('names what is on each of several terminals', async () => {
    const close = { operationId: 'O-2', kind: 'batch_close' as const, reference: null, amountMinor: null };
    const onBar = { ...currentOperation, reference: 'R-2', amountMinor: 700, onTerminal: 'bar' };
    const onTerrace = { ...currentOperation, ...close, onTerminal: 'terrace' };
    expect(await asked([currentOperation, onBar, onTerrace], 'de')).toEqual([
      'Mehrere Terminals arbeiten noch.',
      'Hauptterminal: Zahlung, 12,00\u00A0€, R-1',
      'Terminal „bar“: Zahlung, 7,00\u00A0€, R-2',
      'Terminal „terrace“: Kassenschnitt',
    ]);
  });

  it('names the terminal of the only operation, unless it is the main one', async () => {
    const onBar = { ...currentOperation, onTerminal: 'bar' };
    expect(await asked([onBar], 'en')).toEqual([
      'A payment is running on the terminal.',
      'Terminal “bar”: 12,00\u00A0€, R-1',
    ]);
    expect(await asked([currentOperation], 'en')).toEqual([
      'A payment is running on the terminal.',
      '12,00\u00A0€, R-1',
    ]);
    const close = { ...currentOperation, kind: 'batch_close' as const, reference: null, amountMinor: null };
    expect(await asked([close], 'en')).toEqual(['The terminal is closing the batch.']);
    expect(await asked([{ ...close, onTerminal: 'bar' }], 'en')).toEqual([
      'The terminal is closing the batch.',
      'Terminal “bar”',
    ]);
  });
});
