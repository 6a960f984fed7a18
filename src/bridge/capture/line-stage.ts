/** A stage for protocols with a line: the terminal's bytes come again. */
import { fromHex, type CaptureForm } from '../terminals/framing/index.ts';
import type { LineProtocol, RequestProtocol, TerminalDriver } from '../terminals/terminal-driver.ts';
import type { EntryOf } from './capture-file.ts';
import { recordedProtocol } from './recorded-protocol.ts';
import { createScriptedLine, type ScriptedLine } from './scripted-line.ts';
import type { Happening, Stage, StageParts } from './stage.ts';

/** No frame is so short. */
const brokenOffBytes = 2;

/** Throws where there is none. */
export function formOfLine(protocol: LineProtocol | RequestProtocol): CaptureForm {
  const form = 'attach' in protocol ? protocol.captureForm : undefined;
  if (form === undefined) throw new Error(`lines of ${protocol.name} are not recorded`);
  return form;
}

/** `isAnswered`: what the driver asks now was not recorded, and is answered as a terminal does that is ready. */
export function createLineStage(
  protocol: LineProtocol,
  { recording, watch, isAnswered }: StageParts & { isAnswered: () => boolean },
): Stage {
  const form = formOfLine(protocol);
  const recorded = recordedProtocol(protocol, { ...recording, form });
  let line: ScriptedLine | null = null;
  let driver: TerminalDriver | null = null;

  /** To what a driver asks before a sale that was not its own. */
  function answerReady(scripted: ScriptedLine, bytes: Uint8Array) {
    if (form.readyAnswers === undefined || !isAnswered()) return;
    for (const part of form.createParser().push(bytes)) {
      if (part.kind !== 'frame') continue;
      for (const answer of form.readyAnswers(part.data)) scripted.deliver(answer);
    }
  }

  return {
    get driver() {
      return driver;
    },
    frameGapMs: form.frameGapMs,
    happen(entry) {
      if (entry.kind === 'opened') {
        line?.end('another connection was opened');
        const opened = createScriptedLine((bytes) => answerReady(opened, bytes));
        line = opened;
        driver = recorded.attach(line.connection, watch);
      } else if (entry.kind === 'closed') line?.end(entry.reason);
      else line?.deliver(bytesOf(entry, form));
    },
  };
}

function bytesOf(entry: Exclude<Happening, EntryOf<'opened' | 'closed'>>, form: CaptureForm): Uint8Array {
  switch (entry.kind) {
    case 'ack':
    case 'nak':
      return form.encode({ kind: entry.kind });
    case 'progress':
      return form.encode({ kind: 'progress', data: dataOf(entry) });
    case 'frame': {
      const { check } = entry;
      return form.encode({ kind: 'frame', data: dataOf(entry), ...(check === undefined ? {} : { check }) });
    }
    case 'damaged':
      return form.damagedFrame;
    case 'discarded':
      return new Uint8Array(entry.count);
    case 'broken_off':
      return form.damagedFrame.subarray(0, brokenOffBytes);
    case 'reply':
    case 'no_reply':
      throw new Error('an answer to a request in the recording of a line');
  }
}

function dataOf(entry: EntryOf<'frame' | 'progress'>): Uint8Array {
  return fromHex(entry.hex.replaceAll(/[:*]/g, ''));
}
