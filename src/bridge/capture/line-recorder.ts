/** Puts down what goes over one connection, part by part and masked, whoever uses it. */
import { peerDeadline, type Clock } from '../../base/clock.ts';
import { hex, type CapturedPart, type CaptureForm, type DataPart } from '../terminals/framing/index.ts';
import type { CaptureEntry, EntryOf } from './capture-file.ts';
import type { Safely } from './while-it-works.ts';

/** An entry without its time. */
export type Note = CaptureEntry extends infer Entry
  ? Entry extends { t: number }
    ? Omit<Entry, 't'>
    : never
  : never;

export interface LineRecorder {
  /** Bytes go to the terminal. */
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  closed(reason: string): void;
}

/** None of its calls throws. */
export function createLineRecorder(parts: {
  form: CaptureForm;
  clock: Clock;
  note: (note: Note) => void;
  safely: Safely;
}): LineRecorder {
  const { form, clock, note, safely } = parts;
  const ofBridge = createSide('bridge');
  const ofTerminal = createSide('terminal');

  function createSide(from: 'bridge' | 'terminal') {
    const parser = form.createParser();
    let cancelGap = () => {};
    return {
      stop: () => cancelGap(),
      take(bytes: Uint8Array) {
        cancelGap();
        for (const part of parser.push(bytes)) note(noteOf(part, from, form));
        if (parser.insideFrame && form.frameGapMs !== null)
          cancelGap = peerDeadline(clock, form.frameGapMs, () =>
            safely(() => {
              parser.reset();
              note({ kind: 'broken_off', from });
            }),
          );
      },
    };
  }

  return {
    sent: (bytes) => safely(() => ofBridge.take(bytes)),
    received: (bytes) => safely(() => ofTerminal.take(bytes)),
    closed(reason) {
      ofBridge.stop();
      ofTerminal.stop();
      safely(() => note({ kind: 'closed', reason }));
    },
  };
}

function noteOf(part: CapturedPart, from: 'bridge' | 'terminal', form: CaptureForm): Note {
  switch (part.kind) {
    case 'ack':
    case 'nak':
      return { kind: part.kind, from };
    case 'damaged':
      return { kind: 'damaged', from, reason: part.reason };
    case 'discarded':
      return { kind: 'discarded', from, count: part.count };
    case 'progress':
      return { kind: 'progress', from, ...dataOf(part, from, form) };
    case 'frame':
      return {
        kind: 'frame',
        from,
        ...dataOf(part, from, form),
        ...(part.check === undefined ? {} : { check: part.check }),
      };
  }
}

function dataOf(
  part: DataPart,
  from: 'bridge' | 'terminal',
  form: CaptureForm,
): Pick<EntryOf<'frame'>, 'name' | 'hex'> {
  const { name, bytes, hidden } = form.mask(part, from === 'bridge' ? 'to_terminal' : 'from_terminal');
  const digits = Array.from(bytes, (byte, at) => {
    const two = hex(Uint8Array.of(byte));
    return hidden[at] === true ? `*${two}` : two;
  });
  return { name, hex: digits.join(':') };
}
