/**
 * The link to one head office: enrols this bridge, and sends as long as the office knows its key. Nothing here can move
 * money or holds up a payment.
 */
import { createBackoff } from '../../base/open-with-backoff.ts';
import { pause } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { JournalName } from '../../contract/office.ts';
import {
  accessOf,
  keepAccess,
  keyForCode,
  nextStep,
  officeAddressOf,
  readAccess,
  type OfficeAccess,
} from './enrolment.ts';
import { createOfficeClient } from './office-client.ts';
import { createOfficeSession, type OfficeSession, type SessionOptions } from './office-session.ts';
import { journalsOf, lastSeqOf } from './office-source.ts';
import { createTroubles } from './troubles.ts';

/** For people. */
export interface OfficeStatus {
  /** Its address. */
  office: string;
  /** What it calls the shop of this bridge; null: it does not know this bridge yet. */
  shop: string | null;
  /** What is wrong, in sentences. */
  troubles: string[];
  /** Those of the bridge that runs. */
  journals: SentJournal[];
}

interface SentJournal extends JournalName {
  /** Null: the journal cannot be read. */
  events: number | null;
  /** Up to which event the office has it; null: it has not said so since the bridge was started. */
  sent: number | null;
  /** When it said so. */
  at: string | null;
}

export interface OfficeLink {
  /** Another bridge runs than before, or none. */
  follow(): void;
  stateChanged(): void;
  status(): OfficeStatus;
  /** Gives up what is under way. */
  stop(): void;
}

export interface OfficeLinkOptions extends Omit<
  SessionOptions,
  'client' | 'key' | 'troubles' | 'onKeyRefused'
> {
  url: string;
  code: string | null;
  dataDir: string;
  fetch: typeof fetch;
}

/** What only a person can change is tried again all the same: the office may have been restored from a copy. */
const personRetryMs = 10 * 60_000;
const firstBackoffMs = 1_000;
const maxBackoffMs = 5 * 60_000;
const part = 'enrolment';
const keyBytes = 32;

export function createOfficeLink(options: OfficeLinkOptions): OfficeLink {
  const { code, source, dataDir, version, clock, chance, log } = options;
  const office = officeAddressOf(options.url);
  const client = createOfficeClient({ url: office, version, clock, fetch: options.fetch });
  const stopped = new AbortController();
  const { signal } = stopped;
  const troubles = createTroubles(log);
  const backoff = createBackoff({
    firstMs: firstBackoffMs,
    maxMs: maxBackoffMs,
    random: () => chance.fraction(),
  });
  const newKey = () => Buffer.from(chance.bytes(keyBytes)).toString('base64url');
  let session: OfficeSession | null = null;
  let shop: string | null = null;

  async function run() {
    let keyRefused = false;
    while (!signal.aborted) {
      const step = nextStep(readAccess(dataDir), { office, code, keyRefused });
      keyRefused = false;
      switch (step.kind) {
        case 'use':
          await use(step.access);
          keyRefused = true;
          break;
        case 'enrol':
          await enrol(step.code);
          break;
        case 'wait':
          troubles.report(part, { kind: step.trouble, message: step.message });
          await pause(clock, personRetryMs, signal);
      }
    }
  }

  async function enrol(newCode: string) {
    const key = await written(() => keyForCode(dataDir, { office, code: newCode, newKey }));
    if (key === null) return;
    const answer = await client.enrol(newCode, key, signal);
    if (signal.aborted) return;
    if (answer.kind === 'answer') {
      const access = accessOf(office, newCode, answer.value);
      if (access !== null) return keep(access);
      troubles.report(part, { kind: 'unusable', message: 'The key that it gives is none.' });
    } else if (answer.kind === 'refused' && answer.code === 'code_unknown') {
      troubles.report(part, { kind: 'code_unknown', message: answer.message });
      return pause(clock, personRetryMs, signal);
    } else {
      troubles.report(part, { kind: answer.kind, message: answer.message });
    }
    return pause(clock, backoff.nextMs(), signal);
  }

  /** The code does not count again, so the key is on disk before it is used, however long that takes. */
  async function keep(access: OfficeAccess) {
    const kept = await written(() => {
      keepAccess(dataDir, access);
      return true;
    });
    if (kept === null) return;
    backoff.reset();
    log.info('this bridge belongs to the head office now', { office, shop: access.shop.name });
  }

  /** Tries until the disk lets it. Null: the link was stopped. */
  async function written<T>(write: () => T): Promise<T | null> {
    while (!signal.aborted) {
      try {
        return write();
      } catch (error) {
        troubles.report(part, { kind: 'key_not_kept', message: errorText(error) });
        await pause(clock, backoff.nextMs(), signal);
      }
    }
    return null;
  }

  /** Sends until the office does not know the key, or the link is stopped. */
  async function use({ key, shop: ownShop }: OfficeAccess) {
    shop = ownShop.name;
    const refused = new AbortController();
    session = createOfficeSession({
      ...options,
      client,
      key,
      troubles: {
        ...troubles,
        // Whatever gets through proves the key.
        over(done) {
          troubles.forget(part);
          troubles.over(done);
        },
      },
      onKeyRefused: () => refused.abort(),
    });
    await aborted(AbortSignal.any([signal, refused.signal]));
    session.stop();
    session = null;
    if (signal.aborted) return;
    troubles.report(part, { kind: 'key_unknown', message: 'It refuses the key of this bridge.' });
  }

  if (isInTheClear(office))
    log.warn('the head office is reached without encryption: others in the network can read what is sent', {
      office,
    });
  // The bridge goes on whatever happens here.
  run().catch((err: unknown) => log.error('a fault has ended what sends to the head office', { err }));

  return {
    follow: () => session?.follow(),
    stateChanged: () => session?.stateChanged(),
    status: () => ({
      office,
      shop,
      troubles: [...new Set(troubles.all().map(({ message }) => message))],
      journals: journalsOf(source).map(({ journal, events }) => {
        const sent = session?.sent(journal) ?? null;
        return { ...journal, events: lastSeqOf(events), sent: sent?.seq ?? null, at: sent?.at ?? null };
      }),
    }),
    stop: () => stopped.abort(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

function isInTheClear(office: string): boolean {
  const { protocol, hostname } = new URL(office);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
