/** The office beside a whole host: real bridge, journals, drivers and simulated terminals. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { findJournals } from '../../../src/host/index.ts';
import { isReady, newHost, readyHost, type HostKit } from '../host-kit.ts';
import { createFakeOffice, type FakeOffice } from './fake-office.ts';
import { exportedLines, officeUrl } from './office-kit.ts';

function withOffice(office: FakeOffice, code = office.newCode()) {
  return {
    flags: { office: officeUrl, officeCode: code },
    host: { officeFetch: office.fetch },
  };
}

async function allReady({ host, clock }: HostKit) {
  await clock.until(
    () =>
      host.bridge?.terminals.every(
        ({ retired, payments }) => retired || payments.status().terminal.connection === 'ready',
      ) === true,
    'terminals that are ready',
  );
}

/** The office has each journal of the data folder as it is on disk. */
function hasAll(office: FakeOffice, { folder }: HostKit): boolean {
  return findJournals(folder).every(({ folder: own, simulated, terminal }) => {
    const [chain = []] = office.chains(`${simulated ? 'simulated' : 'live'}/${terminal}`);
    return chain.join('\n') === exportedLines(own).join('\n');
  });
}

const allSent = (office: FakeOffice, kit: HostKit) =>
  kit.clock.until(() => hasAll(office, kit), 'an office that has all');

const payAtBar = (kit: HostKit, reference: string) =>
  kit
    .till()
    .post(
      '/CreatePayment',
      { amount: '13.00', retrieval_reference_number: reference },
      { 'x-terminal': 'bar', prefer: 'wait=60' },
    );

test('gets the payments of each terminal, also of one that is in the configuration no more', async () => {
  const office = createFakeOffice();
  const before = await readyHost({
    ...withOffice(office),
    environment: { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' },
  });
  await allReady(before);
  await before.till().create('12.00', 'M-1', 60);
  await payAtBar(before, 'B-1');
  await allSent(office, before);
  expect(office.chains('simulated/bar')[0]?.join()).toContain('"reference":"B-1"');
  expect(office.chains('live/main')).toEqual([]);
  await before.clock.until(
    () => office.heartbeats.at(-1)?.terminals.every(({ ready }) => ready) === true,
    'a heartbeat of two ready terminals',
  );
  expect(office.heartbeats.at(-1)).toMatchObject({
    version: '9.9.9',
    listener: { listening: true },
    terminals: [
      { name: 'main', simulated: true },
      { name: 'bar', simulated: true },
    ],
  });
  await before.host.stop();
  // What was written at the end goes up at the next start.
  const after = await readyHost({ ...withOffice(office, 'AAAA-AAAA-AAAA-AAAA'), folder: before.folder });
  await allSent(office, after);
  expect(office.calls.filter(({ action }) => action === 'enrol')).toHaveLength(1);
  expect([office.chains('simulated/main').length, office.chains('simulated/bar').length]).toEqual([1, 1]);
  expect(office.complaints).toEqual([]);
});

test('goes on with the bridge that another setting has started', async () => {
  const office = createFakeOffice();
  const kit = await readyHost(withOffice(office));
  await kit.till().create('12.00', 'M-1', 60);
  await kit.save((settings) => (settings.bridge.maxTipPercent = 5));
  await isReady(kit);
  await kit.till().create('13.00', 'M-2', 60);
  await allSent(office, kit);
  expect(office.chains('simulated/main')).toHaveLength(1);
});

test.each(['hang', 'silence', 'unreachable'] as const)(
  'never holds up a payment or a stop: %s',
  async (misbehaviour) => {
    const office = createFakeOffice();
    const kit = await readyHost(withOffice(office));
    await allSent(office, kit);
    office.misbehave = () => misbehaviour;
    const beganMs = kit.clock.elapsed();
    for (const reference of ['M-1', 'M-2', 'M-3']) {
      const paid = await kit.till().create('12.00', reference, 60);
      expect(paid.body).toMatchObject({ transaction_status: 'approved' });
    }
    const tookMs = kit.clock.elapsed() - beganMs;
    await kit.clock.until(() => office.calls.some(({ action }) => action === 'events'), 'a batch');

    const alone = await readyHost();
    const aloneMs = alone.clock.elapsed();
    for (const reference of ['M-1', 'M-2', 'M-3']) await alone.till().create('12.00', reference, 60);
    // On this clock, where only timers take time.
    expect(tookMs).toBeLessThanOrEqual(alone.clock.elapsed() - aloneMs + 1_000);
    const stopMs = kit.clock.elapsed();
    await kit.host.stop();
    expect(kit.clock.elapsed() - stopMs).toBeLessThan(5_000);
  },
);

test('hears of a bridge that has no terminal yet', async () => {
  const office = createFakeOffice();
  const kit = newHost(withOffice(office));
  await kit.host.start();
  await kit.clock.until(
    () => office.heartbeats.at(-1)?.listener.message === 'No terminal has been chosen yet.',
    'a heartbeat without a terminal',
  );
  expect(office.complaints).toEqual([]);
});

test('is seen in the diagnosis and in the support bundle, without its key', async () => {
  const office = createFakeOffice();
  const code = office.newCode();
  const kit = await readyHost(withOffice(office, code));
  await allSent(office, kit);
  const ofOffice = async () =>
    (await kit.invoke('diagnosis', {})).findings.find(({ finding }) => finding.startsWith('office_'));
  await kit.clock.advance(2_000);
  expect((await ofOffice())?.finding).toBe('office_has_all');
  office.revokeKeys();
  await kit.till().create('12.00', 'M-1', 60);
  await kit.clock.advance(2 * 60_000);
  expect(await ofOffice()).toMatchObject({
    finding: 'office_trouble',
    said: expect.stringContaining('has to be enrolled again') as string,
  });
  const { content } = await kit.host.console.makeFile({ kind: 'support_bundle' });
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  const files = Object.entries(unzipSync(Buffer.concat(pieces))).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  );
  expect(Object.fromEntries(files)['office-status.json']).toContain('"shop": "Graz"');
  const all = JSON.stringify(files);
  const keys = office.calls.flatMap(({ key }) => key ?? []);
  expect(keys.filter((key) => all.includes(key))).toEqual([]);
  expect(all).not.toContain(code);
});

test('is none where the settings name none: nothing is asked, and there is no such file', async () => {
  const office = createFakeOffice();
  const kit = await readyHost({
    host: { officeFetch: office.fetch },
    flags: { officeCode: office.newCode() },
  });
  await kit.till().create('12.00', 'M-1', 60);
  await kit.clock.advance(10 * 60_000);
  expect(office.calls).toEqual([]);
  expect((await kit.invoke('diagnosis', {})).findings.map(({ finding }) => finding).join()).not.toContain(
    'office',
  );
  expect(existsSync(path.join(kit.folder, 'office.json'))).toBe(false);
});
