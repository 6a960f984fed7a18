/** The last record that a terminal shows: repeat receipt without printing, 06 20 … 03 03 (ZVT PA00P015, repeat receipt). */
import type { LastRecord } from '../../../contract/terminal.ts';
import { repeatReceipt, repeatReceiptCtrl } from './commands.ts';
import { contradictionIn } from './contradiction.ts';
import type { Conversation } from './conversation.ts';
import { bitmap, type ZvtMessage, notPossibleCode, pleaseWaitCode } from './wire/index.ts';
import { busyText, settingProblem, unavailable, type Obstacle } from './obstacles.ts';
import { ask } from './question.ts';
import { toTerminalRecord } from './record.ts';
import { codeSentence, sentence } from './sentences.ts';

export type Shown =
  | {
      kind: 'shown';
      lastRecord: LastRecord;
      /** Answered with 84 83: unknown, or not possible now. */ notPossible: boolean;
    }
  | { kind: 'obstacle'; obstacle: Obstacle };

/**
 * What the terminal shows. `empty` is only what it completes without a word about a result, with print lines or
 * without; whatever cannot be read, and every refusal, is `unavailable`, because terminals do not agree on what they
 * refuse it with. What `empty` proves is another matter.
 */
export async function readLastRecord(conversation: Conversation): Promise<Shown> {
  const { password, textEncoding } = conversation.settings;
  const asked = await ask(conversation, {
    ctrl: repeatReceiptCtrl,
    apdu: repeatReceipt(password),
    takes: ['040f', '06d1', '06d3'],
    isCompletion: () => true,
    lateResults: 'refuse',
  });
  switch (asked.kind) {
    case 'completed': {
      const { result } = asked;
      if (result === null) return shown(withoutResult(asked.completion));
      const contradiction = contradictionIn(result);
      if (contradiction !== null) return shown(unavailable(contradiction));
      const record = toTerminalRecord(result, textEncoding);
      const { traceNumber, receiptNumber, amountMinor } = record;
      if (record.resultCode === null)
        return shown(unavailable('The terminal sent a last record without a result.'));
      if (result.problems.length > 0 && traceNumber === null)
        return shown(unavailable('The terminal sent a last record that cannot be read in full.'));
      if (traceNumber === null && receiptNumber === null) {
        if (!record.approved)
          return shown(
            unavailable(sentence(`The terminal does not show its last record: ${record.resultText}`)),
          );
        if (amountMinor === null)
          return shown(unavailable('The terminal sent a last record that holds nothing but "approved".'));
      }
      conversation.noteTaken(record);
      return shown({ kind: 'record', record });
    }
    case 'refused': {
      const setting = settingProblem(conversation, asked.code);
      if (setting !== null) return { kind: 'obstacle', obstacle: setting };
      if (asked.code === pleaseWaitCode)
        return { kind: 'obstacle', obstacle: { kind: 'busy', text: busyText } };
      const reason = codeSentence('The terminal does not show its last record', asked.code);
      return { ...shown(unavailable(reason)), notPossible: asked.code === notPossibleCode };
    }
    case 'busy':
    case 'silent':
      return { kind: 'obstacle', obstacle: asked };
  }
}

/** A completion that carries a code, or something that cannot be read, is not the word "none". */
function withoutResult(completion: ZvtMessage): LastRecord {
  const code = bitmap(completion, '27')?.[0] ?? 0;
  if (code !== 0) return unavailable(codeSentence('The terminal does not show its last record', code));
  if (completion.problems.length > 0)
    return unavailable('What the terminal said about its last record cannot be read.');
  return { kind: 'empty' };
}

function shown(lastRecord: LastRecord): Extract<Shown, { kind: 'shown' }> {
  return { kind: 'shown', lastRecord, notPossible: false };
}
