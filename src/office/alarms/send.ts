/** One attempt to send one message. */
import { orAborted, within } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { fetchOnce } from '../../base/fetch-once.ts';
import { printableLine } from '../../base/printable-text.ts';
import { sign, signatureHeader, timestampHeader } from '../../remote/webhooks/index.ts';
import type { AlarmMessage } from './message.ts';
import type { MailServer, Receiver } from './settings.ts';

export interface Mail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** Names the message as `Message-ID`, so that a mailbox sees a repeat of it. */
  id: string;
  at: Date;
}

/** Gives what the server has said, and for whom it did not take the mail; rejects when it took it for nobody. */
export type SendMail = (server: MailServer, mail: Mail) => Promise<{ answer: string; refused: string[] }>;

export interface SendParts {
  clock: Clock;
  fetch: typeof fetch;
  sendMail: SendMail;
  signal: AbortSignal;
}

/** `answer` is for people: what the receiver has said, or what went wrong. */
export type SendResult = { ok: boolean; answer: string };

/** For one attempt. */
export const sendTimeoutMs = 20_000;
const maxAnswerBytes = 1024 * 1024;
const shownAnswerCharacters = 200;

/** Never rejects. */
export function send(receiver: Receiver, message: AlarmMessage, parts: SendParts): Promise<SendResult> {
  return receiver.kind === 'webhook' ? post(receiver, message, parts) : mail(receiver, message, parts);
}

async function post(
  { url, secret }: Extract<Receiver, { kind: 'webhook' }>,
  message: AlarmMessage,
  { clock, fetch, signal }: SendParts,
): Promise<SendResult> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(clock.now() / 1_000));
  const result = await fetchOnce(
    {
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [timestampHeader]: timestamp,
        [signatureHeader]: await sign(secret, timestamp, body),
      },
      body,
    },
    { fetch, clock, timeoutMs: sendTimeoutMs, signal, maxResponseBytes: maxAnswerBytes },
  );
  if (result.kind === 'failed') return { ok: false, answer: result.detail };
  const said = result.body.trim() === '' ? '.' : `: ${result.body.trim()}`;
  return {
    ok: result.status >= 200 && result.status < 300,
    answer: printableLine(`It answered ${result.status}${said}`, shownAnswerCharacters),
  };
}

async function mail(
  { from, to, server }: Extract<Receiver, { kind: 'email' }>,
  { id, at, subject, text }: AlarmMessage,
  { clock, sendMail, signal }: SendParts,
): Promise<SendResult> {
  const shown = (answer: string) =>
    // A server may repeat what it was told.
    printableLine(
      server.login === null ? answer : answer.replaceAll(server.login.password, '…'),
      shownAnswerCharacters,
    );
  try {
    const sending = sendMail(server, { from, to, subject, text, id, at: new Date(at) });
    const sent = await orAborted(within(clock, sendTimeoutMs, sending), signal);
    if (sent === null)
      return {
        ok: false,
        answer: signal.aborted ? 'The office was closed.' : `No answer within ${sendTimeoutMs} ms.`,
      };
    const refused = sent.refused.length === 0 ? '' : `, but not for ${sent.refused.join(', ')}`;
    return { ok: true, answer: shown(`It answered ${sent.answer}${refused}`) };
  } catch (error) {
    return { ok: false, answer: shown(errorText(error)) };
  }
}
