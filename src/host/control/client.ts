/** The command line's end of the control channel. */
import { connect } from 'node:net';
import {
  bundleTimeoutMs,
  controlAnswerSchema,
  type ControlAnswer,
  type ControlRequest,
} from '../../contract/control-channel.ts';
import { terminalCheckWaitMs } from '../../contract/in-doubt.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { isForbidden } from '../../base/forbidden.ts';
import { controlAddress } from './address.ts';

/** Every operation in doubt with all its journal events: far more than a handful of operations can make. */
const maxAnswerBytes = 32 * 1024 * 1024;
/** Longer than the bridge waits for its terminal before it answers. */
const usualTimeoutMs = terminalCheckWaitMs + 5_000;

export type ControlResult =
  | { kind: 'answered'; answer: ControlAnswer }
  /** Nobody listens: no bridge runs on this folder. */
  | { kind: 'no_bridge' }
  | { kind: 'failed'; message: string };

/** Sends a request to the bridge that runs on the data folder `folder`, if one does. Never rejects. */
export function sendControlRequest(
  folder: string,
  request: ControlRequest,
  clock: Clock,
): Promise<ControlResult> {
  let address: string | null;
  try {
    address = controlAddress(folder);
  } catch (error) {
    return Promise.resolve({
      kind: 'failed',
      message: errorText(error),
    });
  }
  if (address === null) return Promise.resolve({ kind: 'no_bridge' });
  const answerTimeoutMs = request.ask === 'support_bundle' ? bundleTimeoutMs : usualTimeoutMs;
  return new Promise((resolve) => {
    const socket = connect(address);
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (result: ControlResult) => {
      cancel();
      socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(answerTimeoutMs, () =>
      finish({
        kind: 'failed',
        message: `The bridge on ${folder} did not answer within ${answerTimeoutMs / 1000} s.`,
      }),
    );
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on('data', (bytes: Buffer) => {
      pieces.push(bytes);
      length += bytes.length;
      if (length > maxAnswerBytes)
        finish({ kind: 'failed', message: 'The answer of the bridge is too long.' });
    });
    socket.on('end', () => finish(parseAnswer(Buffer.concat(pieces).toString('utf8'), folder)));
    socket.on('error', (error) => finish(connectFailure(error, folder)));
  });
}

function parseAnswer(text: string, folder: string): ControlResult {
  try {
    const answer = controlAnswerSchema.safeParse(JSON.parse(text));
    if (answer.success) return { kind: 'answered', answer: answer.data };
  } catch {
    // Not even JSON: reported below.
  }
  const message = `The bridge on ${folder} gave an answer that this version does not understand. Is it another version?`;
  return { kind: 'failed', message };
}

function connectFailure(error: Error, folder: string): ControlResult {
  const code = 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK') return { kind: 'no_bridge' };
  const message = isForbidden(error)
    ? `The bridge on ${folder} belongs to another user; run this command as that user.`
    : `The bridge on ${folder} cannot be asked: ${error.message}`;
  return { kind: 'failed', message };
}
