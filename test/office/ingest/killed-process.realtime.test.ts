/** The process of an office is killed while a journal comes in: what it has answered is there, and nothing comes twice. */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import {
  enrolResponseSchema,
  eventsResponseSchema,
  eventsType,
  headsResponseSchema,
  officePaths,
} from '../../../src/contract/office.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres, openPglite } from '../../../src/office/index.ts';
import { enginesHere } from '../support/databases.ts';
import { postgresPrograms, startPostgres } from '../../support/postgres-server.ts';
import { runProgram } from '../../support/programs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { tillAt } from '../support/till.ts';

const commandLine = path.join(import.meta.dirname, '../../../src/headless/tillbridge.ts');
const journalName = { terminal: 'main', simulated: true };
const batchEvents = 30;
const kills = 3;

test.each(enginesHere())('on %s, killed again and again', { timeout: 300_000 }, async (engine) => {
  const dataDir = tempFolder('killed-office');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = engine === 'postgres' ? await startPostgres(postgresPrograms() ?? '') : null;
  onTestFinished(() => server?.stop());

  async function startOffice() {
    const flags = server === null ? [] : ['--database', server.url];
    const all = [commandLine, 'office', '--port', '0', '--data-dir', dataDir, ...flags];
    const office = runProgram(process.execPath, all, process.env);
    onTestFinished(async () => void (await office.end('SIGKILL')));
    const [, origin = ''] = await office.printed(/listening on (http:\/\/127[\d.:]+)/);
    const post = async (
      where: string,
      key: string,
      body: string,
      type = 'application/json',
    ): Promise<unknown> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type };
      const response = await fetch(`${origin}${where}`, { method: 'POST', headers, body });
      return await response.json();
    };
    return { office, origin, post };
  }

  let { office, origin, post } = await startOffice();
  const administratorKey = (await readFile(path.join(dataDir, 'administrator-key'), 'utf8')).trim();
  const made = await post('/office/v1/codes', administratorKey, '{"shop": "Berlin"}');
  const { code } = made as { code: string };
  const enrolled = await post(
    officePaths.enrol,
    '',
    JSON.stringify({ code, computer: 'till', version: '2.0.0' }),
  );
  const { key } = enrolResponseSchema.parse(enrolled);
  const { journal, pay } = tillAt(Date.now());
  for (let i = 0; i < 250; i += 1) pay(`R-${i}`);

  /** As far as the office has said that it has it. */
  let answered = { chain: null as string | null, seq: 0 };
  const sendNext = async () => {
    const { chain, seq } = answered;
    const text = journal.batch(chain, seq, batchEvents);
    answered = eventsResponseSchema.parse(await post(officePaths.events(journalName), key, text, eventsType));
  };
  for (let round = 0; round < kills; round += 1) {
    await sendNext();
    await sendNext();
    // The next one is under way: it is there as a whole afterwards, or not at all.
    const cutOff = sendNext().catch(() => {});
    for (let turn = 0; turn < round * 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await office.end('SIGKILL');
    await cutOff;
    ({ office, origin, post } = await startOffice());
    const asked = await fetch(`${origin}${officePaths.heads(journalName)}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { heads } = headsResponseSchema.parse(await asked.json());
    expect(heads).toHaveLength(1);
    const [head = { chain: '', seq: 0, hash: '' }] = heads;
    expect([answered.seq, answered.seq + batchEvents]).toContain(head.seq);
    expect(head.hash).toBe(journal.placeAt(head.seq).hash);
    // A bridge that has not heard the answer sends the same once more.
    await sendNext();
  }
  while (answered.seq < journal.lines.length) await sendNext();
  await office.end('SIGKILL');

  const parts = { clock: systemClock, chance: systemChance(systemClock), log: silentLog };
  const database =
    server === null ? await openPglite(path.join(dataDir, 'database')) : createPostgres(server.url, parts);
  onTestFinished(() => database.close());
  const events = await database.query(`SELECT seq, encode(hash, 'hex') AS hash FROM events ORDER BY seq`);
  expect(events).toEqual(journal.lines.map(({ seq, hash }) => ({ seq, hash })));
  const payments = await database.query(`SELECT reference FROM payments WHERE status = 'approved'`);
  expect(payments).toHaveLength(250);
  expect(await database.query('SELECT chain FROM chains')).toHaveLength(1);
  expect(await database.query('SELECT kind FROM findings')).toEqual([]);
});
