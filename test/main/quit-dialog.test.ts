/** The question before quitting, without Electron: what it says of the operation on the terminal. */
import { describe, expect, it, vi } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
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
      expect(await confirmQuit(currentOperation, context)).toBe('cancel');
      expect(showMessageBox).toHaveBeenLastCalledWith(
        context.window,
        expect.objectContaining({ detail: expect.stringMatching(/12[.,]00.*R-1/) as string }),
      );
    },
  );
});
