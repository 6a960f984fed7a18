import { describe, expect, it } from 'vitest';
import {
  intermediateStatusText,
  progressStepOf,
} from '../../../../../src/bridge/terminals/zvt/wire/intermediate-status.ts';
import { progressStepSchema } from '../../../../../src/contract/terminal.ts';

describe('a status of 04 FF', () => {
  it.each([
    [0x00, 'Waiting for amount confirmation', 'confirm_amount'],
    [0x01, 'Please watch the PIN pad', 'enter_pin'],
    [0x03, 'Not accepted', 'declined'],
    [0x04, 'Waiting for the bank', 'waiting_for_host'],
    [0x05, 'Sending auto-reversal', 'reversing'],
    [0x06, 'Sending post-bookings', 'booking'],
    [0x09, 'Card expired', 'declined'],
    [0x0a, 'Insert card', 'insert_card'],
    [0x0b, 'Remove card', 'remove_card'],
    [0x0c, 'Card unreadable', 'card_unreadable'],
    [0x0d, 'Processing error', 'other'],
    [0x0e, 'Please wait', 'please_wait'],
    [0x0f, 'Automatic end of day', 'booking'],
    [0x15, 'Wrong PIN', 'wrong_pin'],
    [0x1d, 'Declined', 'declined'],
    // 41 to 5D: the same, and the card has to be taken out.
    [0x41, 'Please watch the PIN pad, remove card', 'enter_pin'],
    [0x4a, 'Insert card, remove card', 'insert_card'],
    [0x4b, 'Remove card', 'remove_card'],
    [0x55, 'Wrong PIN, remove card', 'wrong_pin'],
    [0x5d, 'Declined, remove card', 'declined'],
    // Beside that range on both sides.
    [0x40, 'Please wait', 'other'],
    [0x5e, 'Please wait', 'other'],
    [0x66, 'Enter mobile number, remove card', 'other'],
    [0xa0, 'Paid', 'approved'],
    [0xa1, 'Paid, remove card', 'approved'],
    [0xa2, 'Reversed', 'reversed'],
    [0xa3, 'Reversed, remove card', 'reversed'],
    [0xa4, 'Reversal not possible', 'other'],
    [0xd2, 'Dial-up connecting', 'waiting_for_host'],
    [0xd3, 'Dial-up connected', 'waiting_for_host'],
    [0xe0, 'Select application', 'other'],
    // Only the terminal's own text tells.
    [0xff, 'Please wait', 'other'],
  ])('%i says "%s", step %s', (code, text, step) => {
    expect(intermediateStatusText(code)).toBe(text);
    expect(progressStepOf(code)).toBe(step);
  });

  it('is a step that the window knows, whatever it is', () => {
    for (let code = 0; code <= 0xff; code += 1) {
      expect(progressStepSchema.safeParse(progressStepOf(code)).success).toBe(true);
    }
  });
});
