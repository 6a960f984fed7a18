/** "Why is it not working?", asked of real hosts: with a bridge, without one, and while it could not start. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnosisFindings, type Diagnosis } from '../../../src/contract/console/index.ts';
import { newFolder, newHost, readyHost, type HostKit } from '../host-kit.ts';

const names = ({ findings }: Diagnosis) => findings.map(({ finding }) => finding);

/** The clock stands still meanwhile: what is looked at is outside of this process. */
async function diagnosisOf({ clock, invoke }: HostKit): Promise<Diagnosis> {
  const goOn = clock.hold();
  return invoke('diagnosis', {}).finally(goOn);
}

describe('why it does not work', () => {
  test('a simulator that is ready: everything is well but that no POS has called', async () => {
    const diagnosis = await diagnosisOf(await readyHost());
    const notWell = names(diagnosis).filter((name) => diagnosisFindings[name][1] !== 'ok');
    expect(notWell).toEqual(['pos_never', 'clock_unknown']);
    expect(diagnosis.calls).toEqual([]);
  });

  test('nothing goes to the terminal or into the journal, and windows that ask together get one look', async () => {
    const kit = await readyHost({ flags: { logLevel: 'debug' } });
    const page = {
      filter: { minLevel: 'debug', sources: null, text: null },
      before: null,
      limit: 1,
    } as const;
    const { last } = await kit.invoke('log', page);
    const seq = kit.host.bridge?.journal?.lastSeq();
    const [one, other] = await Promise.all([diagnosisOf(kit), diagnosisOf(kit)]);
    expect(other).toEqual(one);
    expect((await kit.invoke('log', page)).last).toBe(last);
    expect(kit.host.bridge?.journal?.lastSeq()).toBe(seq);
  });

  test('a call that was refused is told with its code, and that it lacked a token', async () => {
    const kit = await readyHost();
    await kit.invoke('createToken', { name: 'Till 1' });
    await kit.till().create('12.00', 'A-1');
    const diagnosis = await diagnosisOf(kit);
    expect(names(diagnosis)).toEqual(expect.arrayContaining(['pos_refused', 'token_refused']));
    expect(diagnosis.calls).toMatchObject([{ path: '/CreatePayment', code: 'unauthorized', count: 1 }]);
  });

  test('a second bridge on the same folder says what is wrong, although no bridge runs', async () => {
    const { folder } = await readyHost();
    const second = newHost({ folder, flags: { terminal: 'simulator' } });
    await second.host.start();
    const diagnosis = await diagnosisOf(second);
    expect(diagnosis.findings[0]).toMatchObject({
      finding: 'bridge_failed',
      said: expect.stringMatching(/./),
    });
    const others = ['money_unknown', 'listener_later', 'journal_later', 'disk_free'];
    expect(names(diagnosis)).toEqual(expect.arrayContaining(others));
  });

  test('damaged settings: it starts without them, and they are named', async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'settings.json'), '{ damaged', { mode: 0o600 });
    const kit = newHost({ folder });
    await kit.host.start();
    const found = names(await diagnosisOf(kit));
    expect(found).toEqual(
      expect.arrayContaining(['bridge_first_start', 'settings_left_out', 'address_none']),
    );
  });

  test('a cable that is not plugged in is what is wrong, and not what follows from it', async () => {
    const folder = newFolder();
    const kit = newHost({ folder, flags: { terminal: `serial:${folder}/none` } });
    await kit.host.start();
    await kit.state(({ terminal }) => terminal?.connection === 'lost', 'a lost terminal');
    const found = names(await diagnosisOf(kit));
    expect(found.some((name) => name === 'cable_missing' || name === 'cable_elsewhere')).toBe(true);
    expect(found).toEqual(expect.arrayContaining(['answers_later', 'ready_later', 'record_later']));
  });
});
