/** What goes to the office while it knows the key of this bridge: heartbeats, and the journals of the bridge that runs. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { journalTail } from '../../bridge/journal/index.ts';
import type { JournalName } from '../../contract/office.ts';
import type { Log } from '../../log/index.ts';
import { heartbeatOf } from './heartbeat-of.ts';
import { createHeartbeats, heartbeatPart } from './heartbeats.ts';
import { createJournalSender, type JournalSender } from './journal-sender.ts';
import type { OfficeClient } from './office-client.ts';
import { journalsOf, type OfficeSource } from './office-source.ts';
import type { Troubles } from './troubles.ts';

export interface SessionOptions {
  client: OfficeClient;
  key: string;
  source: OfficeSource;
  version: string;
  clock: Clock;
  chance: Chance;
  log: Log;
  troubles: Troubles;
  compress?: ((text: string) => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  /** The office does not know the key; called once at least. */
  onKeyRefused(): void;
}

export interface OfficeSession {
  /** Another bridge runs than before, or none. */
  follow(): void;
  stateChanged(): void;
  /** What the office has of a journal of the bridge that runs, and when it said so; null: it has not said. */
  sent(journal: JournalName): JournalSender['sent'];
  /** Gives up what is under way. */
  stop(): void;
}

/** A journal of the bridge that runs. */
interface Sending {
  part: string;
  sender: JournalSender;
  /** Ends what tells of its events. */
  unsubscribe(): void;
}

export function createOfficeSession(options: SessionOptions): OfficeSession {
  const { client, key, source, version, clock, troubles, compress = gzipped } = options;
  const ended = new AbortController();
  let sending: Sending[] = [];
  /** Ends the requests of `sending`. */
  let sendingEnded = new AbortController();

  const heartbeats = createHeartbeats({
    ...options,
    office: client.as(key, ended.signal),
    heartbeat: () =>
      heartbeatOf({
        version,
        nowMs: clock.now(),
        bridge: source.state,
        listener: source.listener.state,
        terminals: source.running?.bridge.terminals ?? [],
      }),
  });

  function sendJournals() {
    const { signal } = sendingEnded;
    const office = client.as(key, signal);
    for (const { journal, folder, terminal } of journalsOf(source)) {
      const { payments } = terminal;
      const part = partOf(journal);
      const sender = createJournalSender({
        ...options,
        journal,
        part,
        tail: journalTail(folder),
        isBusy: () => payments.status().currentOperation !== null,
        office,
        compress,
      });
      const unsubscribe = payments.subscribe(({ kind }) => {
        if (kind === 'journal_event') sender.written();
        else sender.stateChanged();
        heartbeats.stateChanged();
      });
      sending.push({ part, sender, unsubscribe });
    }
  }

  function stopSending() {
    sendingEnded.abort();
    sendingEnded = new AbortController();
    for (const { part, sender, unsubscribe } of sending) {
      unsubscribe();
      sender.stop();
      troubles.forget(part);
    }
    sending = [];
  }

  sendJournals();
  return {
    follow() {
      stopSending();
      sendJournals();
      heartbeats.stateChanged();
    },
    stateChanged: () => heartbeats.stateChanged(),
    sent: (journal) => sending.find(({ part }) => part === partOf(journal))?.sender.sent ?? null,
    stop() {
      ended.abort();
      heartbeats.stop();
      troubles.forget(heartbeatPart);
      stopSending();
    },
  };
}

/** What the troubles of a journal are filed under. */
function partOf({ terminal, simulated }: JournalName): string {
  return `${simulated ? 'simulated' : 'live'} ${terminal}`;
}

const gzipInBackground = promisify(gzip);

async function gzipped(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await gzipInBackground(text));
}
