/** A till that follows /events, and a journal that was repaired while it was away. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repairJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/index.ts';
import { createPosClient } from '../../src/pos/index.ts';
import { newFolder, readyHost, isReady } from './host-kit.ts';

it('hears that the journal is another one, because its places are', async () => {
  const folder = newFolder();
  const kit = await readyHost({ folder, flags: { pace: '0' } });
  const pay = async (reference: string) => {
    expect((await kit.till().create('12.00', reference, 60)).body['transaction_status']).toBe('approved');
    await isReady(kit);
  };
  await pay('A-1');
  const client = createPosClient({ url: kit.base() });
  let place = '';
  for await (const { id, name, data } of client.events({ after: '0' })) {
    place = id ?? place;
    if (name === 'payment' && data.transaction_status === 'approved') break;
  }
  await pay('A-2');
  await kit.host.stop();

  // What the till has heard of is lost, and A-2 moves to an earlier place.
  const data = join(folder, 'simulator');
  const journal = new DatabaseSync(join(data, 'journal.sqlite'));
  journal.exec('DROP TRIGGER events_are_not_changed');
  journal
    .prepare(`UPDATE events SET body = replace(body, '}', ',"x":1}') WHERE seq <= ?`)
    .run(Number(place.split('-')[0]));
  journal.close();
  kit.clock.jump(60_000);
  const by = { by: 'Ada', reason: 'The disk was damaged.' };
  const parts = { clock: kit.clock, log: silentLog, version: '1', uuid: randomUUID };
  const repaired = repairJournal({ folder: data, ...by, ...parts });
  expect(repaired).toMatchObject({ kind: 'repaired' });

  const again = await readyHost({ folder, flags: { pace: '0' } });
  const heard: string[] = [];
  for await (const { name } of createPosClient({ url: again.base() }).events({ after: place })) {
    heard.push(name);
    if (name === 'journal') break;
  }
  expect(heard).toEqual(['terminal', 'journal']);
});
