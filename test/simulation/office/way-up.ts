/**
 * The way of one shop's journal to the head office: the bridge's own sender, for each life of the bridge, over a network on
 * which requests and answers are lost. The simulated world stands still while a request is on its way.
 */
import { gzipSync } from 'node:zlib';
import { chanceOf } from '../../../src/base/chance.ts';
import { journalTail } from '../../../src/bridge/journal/index.ts';
import type { JournalName } from '../../../src/contract/office.ts';
import { createJournalSender, type JournalSender } from '../../../src/host/office/journal-sender.ts';
import { createOfficeClient } from '../../../src/host/office/office-client.ts';
import { createTroubles } from '../../../src/host/office/troubles.ts';
import { silentLog } from '../../../src/log/log.ts';
import type { Random } from '../../support/random.ts';
import type { BridgeProcess } from '../bridge-process.ts';
import type { Life } from '../shop.ts';
import type { WorldClock } from '../world-clock.ts';

const journalName: JournalName = { terminal: 'main', simulated: true };
const version = 'simulation';
/** Of a thousand requests: how many get lost, and of how many the answer does. */
const lostRequests = 0.05;
const lostAnswers = 0.05;
/** Now and then nothing gets through for longer. */
const outages = 0.01;
const longestOutageMs = 2 * 3_600_000;

export interface WayUp extends Life {
  /** How far the office said at last that it has the journal; null: it has not said so to the bridge that runs. */
  readonly sent: number | null;
  /** From now on nothing is lost any more. */
  getThrough(): void;
}

export function createWayUp(parts: {
  url: string;
  key: string;
  journalFolder: string;
  world: WorldClock;
  random: Random;
}): WayUp {
  const { url, key, journalFolder, world, random } = parts;
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => random.integer(0, 255));
  let current: { process: BridgeProcess; sender: JournalSender; ended: AbortController } | null = null;
  let isBad = true;
  let outUntilMs = 0;

  const overBadNetwork: typeof fetch = async (input, init) => {
    if (isBad && random.chance(outages)) outUntilMs = world.elapsed() + random.integer(0, longestOutageMs);
    if (isBad && (world.elapsed() < outUntilMs || random.chance(lostRequests))) throw new TypeError('lost');
    const answer = await world.resting(whole(fetch(input, { ...init, signal: null })));
    if (isBad && random.chance(lostAnswers)) throw new TypeError('its answer is lost');
    return answer;
  };

  return {
    get sent() {
      return current?.sender.sent?.seq ?? null;
    },
    getThrough() {
      isBad = false;
    },
    began(process) {
      const { clock } = process;
      const ended = new AbortController();
      const client = createOfficeClient({ url, version, clock, fetch: overBadNetwork });
      const sender = createJournalSender({
        journal: journalName,
        part: 'journal',
        tail: journalTail(journalFolder),
        isBusy: () => process.payments?.status().currentOperation != null,
        office: client.as(key, ended.signal),
        clock,
        chance: chanceOf(clock, bytes),
        log: silentLog,
        compress: (text) => Promise.resolve(new Uint8Array(gzipSync(text))),
        troubles: createTroubles(silentLog),
        onKeyRefused() {},
      });
      current = { process, sender, ended };
    },
    written: () => current?.sender.written(),
    ended(process) {
      if (current?.process !== process) return;
      current.sender.stop();
      current.ended.abort();
      current = null;
    },
  };
}

/** The answer with all of its body. */
async function whole(asked: Promise<Response>): Promise<Response> {
  const { status, headers, ...response } = await asked.then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    body: await answer.arrayBuffer(),
  }));
  return new Response(response.body, { status, headers });
}
