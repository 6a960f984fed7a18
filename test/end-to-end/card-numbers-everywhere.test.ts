/**
 * No card data on disk, whatever protocol: terminals that send card numbers as far as their protocol lets them, and a person
 * who types one. `card-numbers.test.ts` has every entrance of the bridge.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../src/log/index.ts';
import { ecrEdcDialects } from '../../src/simulator/ecr-edc/dialects.ts';
import { cardNumbersIn, cards, filesBelow } from '../support/card-numbers.ts';
import { protocolCases } from '../support/protocol-cases.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ecrEdcTerminal } from '../support/terminals-on-cable.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

closeRigsAfterEach();

/** Its terminals may send a whole number. */
const careless = (profile: 'generic' | 'kbtg') => ({
  name: `ecr-edc ${profile}, with whole card numbers`,
  plugIn: ecrEdcTerminal(profile, { dialect: ecrEdcDialects.talkative }),
  sendsWholeNumbers: true,
});
const terminals = [
  ...protocolCases.map(({ name, plugIn }) => ({ name, plugIn, sendsWholeNumbers: false })),
  careless('generic'),
  careless('kbtg'),
];

it.each(terminals)('$name', async ({ plugIn, sendsWholeNumbers }) => {
  const clock = createVirtualClock();
  const folder = tempFolder('cards-everywhere');
  const store = { file: join(folder, 'store', 'log-store.sqlite') };
  const created = createLog({ folder: join(folder, 'logs'), level: 'debug', clock, store });
  const rig = await terminalUp(plugIn, { clock, log: created.log });
  // The card of another scheme each; the last amount is one that a Transbank terminal can void.
  for (const [index, reference] of ['A', 'B', 'C', 'D'].entries()) {
    expect(await rig.sell(120_100 + index * 100, reference)).toBe('approved');
    await rig.ready();
  }
  await rig.payments.voidPayment('D', 200_000);
  await rig.ready();
  // The line is lost in the next one, and a person who is asked types what stands on the card.
  await rig.begin(122_400, 'E');
  await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
  rig.cable.pull();
  await rig.until(() => rig.payments.operationsInDoubt().length > 0, 'the doubt');
  const [card = ''] = cards;
  const [doubt] = rig.payments.operationsInDoubt();
  const decided = rig.payments.resolve({
    operationId: doubt?.operationId ?? '',
    resolution: 'not-charged',
    by: card,
    reason: `the customer showed card ${card}`,
    terminalUnreachable: true,
  });
  expect(decided).toMatchObject({ ok: true });
  await rig.crash();
  await created.close();

  const written = [...filesBelow(folder), ...filesBelow(rig.folder)];
  const journal = written
    .filter((file) => file.includes('journal'))
    .map((file) => readFileSync(file, 'latin1'));
  // The terminal's own files are not the bridge's.
  const ours = written.filter((file) => !file.includes('ledger'));
  expect(ours.flatMap((file) => cardNumbersIn(file, readFileSync(file)))).toEqual([]);
  expect(journal.join('')).toContain('411111******1111');
  // The terminal did send them.
  if (sendsWholeNumbers) expect(journal.join('')).toContain('"maskedCardNumber":"****4444"');
  rmSync(folder, { recursive: true, force: true });
});
