/** The question before quitting, without Electron: what it says of the operation in hand. */
import { describe, expect, it, vi } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
import { wordsFor } from '../../src/main/words.ts';

const asked = vi.hoisted(() => vi.fn(() => Promise.resolve({ response: 2 })));
vi.mock('electron', () => ({ dialog: { showMessageBox: asked } }));
const { confirmQuit } = await import('../../src/main/quit-dialog.ts');

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
      const context = { window: {} as never, words: wordsFor('en', 'en'), locale };
      expect(await confirmQuit(currentOperation, context)).toBe('cancel');
      expect(asked).toHaveBeenLastCalledWith(
        context.window,
        expect.objectContaining({ detail: expect.stringMatching(/12[.,]00.*R-1/) as string }),
      );
    },
  );
});
