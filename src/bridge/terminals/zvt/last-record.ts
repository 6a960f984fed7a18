/** The last record that a terminal shows: repeat receipt without printing, 06 20 … 03 03 (ZVT PA00P015, repeat receipt). */
import type { LastRecord } from '../../../contract/terminal.ts';
import { repeatReceipt, repeatReceiptCtrl } from './command-apdus.ts';
import { contradictionIn, toTerminalRecord } from './record.ts';
import { busyReason, type ExchangeContext } from './exchange-context.ts';
import { bitmap, type ZvtMessage, notPossibleCode, pleaseWaitCode } from './wire/index.ts';
import { settingNotReady, unavailable, type NotReady, codeReason, asSentence } from './reasons.ts';
import { enquire } from './enquiry.ts';

export type Shown =
  | {
      kind: 'shown';
      lastRecord: LastRecord;
      /** Answered with 84 83: unknown, or not possible now. */ notPossible: boolean;
    }
  | { kind: 'not_ready'; notReady: NotReady };

/**
 * What the terminal shows. `empty` is only what it completes without a word about a result, with print lines or
 * without; whatever cannot be read, and every refusal, is `unavailable`, because terminals do not agree on what they
 * refuse it with. What `empty` proves is another matter.
 */
export async function readLastRecord(context: ExchangeContext): Promise<Shown> {
  const { password, textEncoding } = context.settings;
  const outcome = await enquire(context, {
    ctrl: repeatReceiptCtrl,
    apdu: repeatReceipt(password),
    takes: ['040f', '06d1', '06d3'],
    isCompletion: () => true,
    lateResults: 'refuse',
  });
  switch (outcome.kind) {
    case 'completed': {
      const { result } = outcome;
      if (result === null) return shown(withoutResult(outcome.completion));
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
            unavailable(asSentence(`The terminal does not show its last record: ${record.resultText}`)),
          );
        if (amountMinor === null)
          return shown(unavailable('The terminal sent a last record that holds nothing but "approved".'));
      }
      context.noteTaken(record);
      return shown({ kind: 'record', record });
    }
    case 'refused': {
      const setting = settingNotReady(context, outcome.code);
      if (setting !== null) return { kind: 'not_ready', notReady: setting };
      if (outcome.code === pleaseWaitCode)
        return { kind: 'not_ready', notReady: { kind: 'busy', text: busyReason } };
      const reason = codeReason(showsNoRecord, outcome.code);
      return { ...shown(unavailable(reason)), notPossible: outcome.code === notPossibleCode };
    }
    case 'busy':
    case 'silent':
      return { kind: 'not_ready', notReady: outcome };
  }
}

const showsNoRecord = 'The terminal does not show its last record';

/** A completion that carries a code, or something that cannot be read, is not the word "none". */
function withoutResult(completion: ZvtMessage): LastRecord {
  const code = bitmap(completion, '27')?.[0] ?? 0;
  if (code !== 0) return unavailable(codeReason(showsNoRecord, code));
  if (completion.problems.length > 0)
    return unavailable('What the terminal said about its last record cannot be read.');
  return { kind: 'empty' };
}

function shown(lastRecord: LastRecord): Extract<Shown, { kind: 'shown' }> {
  return { kind: 'shown', lastRecord, notPossible: false };
}
