/** One process of the office on a port of its own, and whoever asks it: a browser, the administrator's key, a bridge. */
import type { Clock } from '../../../src/base/clock.ts';
import type { Chance } from '../../../src/base/chance.ts';
import { linkMark } from '../../../src/contract/console/index.ts';
import {
  enrolResponseSchema,
  eventsType,
  officePaths,
  type Heartbeat,
} from '../../../src/contract/office.ts';
import type { Role } from '../../../src/contract/office-page.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { createOffice, type OfficeOptions } from '../../../src/office/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { eventsOf, invoke, open, type Answer } from '../../headless/console/console-browser.ts';
import type { ShopJournal } from './shop.ts';

export const administratorKey = 'the-key-of-the-administrator';
const byKey = { authorization: `Bearer ${administratorKey}` };

export interface Browser {
  /** As a browser sends what the office's own page asks. */
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  cookie: string;
}

/** `database` is not closed with it: another test goes on with it. */
export async function runningOffice(
  database: Database,
  parts: { clock: Clock; chance: Chance } & Partial<OfficeOptions>,
) {
  const office = await createOffice({
    database: { ...database, close: () => Promise.resolve() },
    port: 0,
    host: '127.0.0.1',
    version: '2.0.0',
    administratorKey,
    rendererFolder: null,
    publicOrigin: null,
    log: silentLog,
    ...parts,
  });
  const { port } = office;
  const origin = `http://127.0.0.1:${port}`;

  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    invoke(port, path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  const enter = (link: string, headers: Record<string, string> = {}) =>
    post('/office/v1/enter', { link: new URL(link).hash.slice(linkMark.length) }, { origin, ...headers });

  async function linkFor(name: string, role: Role): Promise<string> {
    const made = await post('/office/v1/links', { name, role }, byKey);
    return (made.json() as { link: string }).link;
  }

  function browserWith(cookie: string): Browser {
    const own = { cookie, origin, 'sec-fetch-site': 'same-origin' };
    return {
      cookie,
      get: (path) => invoke(port, path, { headers: own }),
      post: (path, body = {}) => post(path, body, own),
    };
  }

  /** A bridge that has joined the shop, and what it sends. */
  async function join(shop: string, version = '2.0.0') {
    const code = (await post('/office/v1/codes', { shop }, byKey)).json() as { code: string };
    const asked = { code: code.code, computer: `till of ${shop}`, version };
    const enrolled = enrolResponseSchema.parse((await post(officePaths.enrol, asked, {})).json());
    const headers = { authorization: `Bearer ${enrolled.key}` };
    return {
      ...enrolled,
      heartbeat: (heartbeat: Heartbeat) => post(officePaths.heartbeat, heartbeat, headers),
      send: (journal: ShopJournal, simulated = false) =>
        invoke(port, officePaths.events({ terminal: 'main', simulated }), {
          method: 'POST',
          body: journal.batch(null, 0),
          headers: { ...headers, 'content-type': eventsType },
        }),
    };
  }

  return {
    ...office,
    origin,
    enter,
    linkFor,
    join,
    browserWith,
    ask: (path: string, headers: Record<string, string> = {}) => invoke(port, path, { headers }),
    post,
    async signIn(role: Role, name = `the ${role}`): Promise<Browser> {
      const answer = await enter(await linkFor(name, role));
      const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
      return browserWith(cookie);
    },
    /** The stream of changes; `next` gives each as it comes. */
    async changes({ cookie }: Browser) {
      const response = await open(port, '/office/v1/changes', { headers: { cookie, origin } });
      const events = eventsOf(response);
      return { next: () => events.next(), end: () => void response.destroy() };
    },
  };
}

export type RunningOffice = Awaited<ReturnType<typeof runningOffice>>;

export function heartbeatOf(
  part: Partial<Heartbeat['terminals'][number]> = {},
  version = '2.0.0',
): Heartbeat {
  return {
    version,
    at: new Date().toISOString(),
    listener: { listening: true, message: '' },
    terminals: [
      {
        name: 'main',
        simulated: false,
        protocol: 'zvt',
        terminalId: '52500041',
        connection: 'ready',
        ready: true,
        message: 'The terminal is ready.',
        journalWritable: true,
        inDoubt: 0,
        discrepancies: 0,
        ...part,
      },
    ],
  };
}
