/** The line leads to another terminal for a while: its address was changed, two were swapped, or their protocol is another one. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ecrEdcDialects } from '../../src/simulator/ecr-edc/dialects.ts';
import type { TerminalParts } from '../support/core-rig.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import type { TerminalOnCable, TerminalSide } from '../support/terminal-rig.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ecrEdcTerminal, transbankTerminal } from '../support/terminals-on-cable.ts';

closeRigsAfterEach();

interface Exchangeable extends TerminalSide {
  state(): { terminalId: string; busy: boolean };
}
const swapped: { name: string; plugIn: (parts: TerminalParts) => TerminalOnCable<Exchangeable> }[] = [
  { name: 'kbtg', plugIn: ecrEdcTerminal('kbtg') },
  { name: 'Transbank', plugIn: transbankTerminal() },
];

it.each(swapped)(
  '$name: a sale that another terminal charged did not fail because the own one does not know it',
  async ({ plugIn }) => {
    const rig = await terminalUp(plugIn);
    const own = rig.simulator.state().terminalId;
    expect(await rig.sell(10_000, 'A')).toBe('approved');
    await rig.ready();
    rig.simulator.replaceTerminal('70000002');
    await rig.clock.advance(30_000);
    await rig.ready();
    // It is charged there, and nothing of that arrives.
    const isCharged = () => rig.ledger().filter(({ event }) => event === 'charged').length === 2;
    rig.cable.onPiece = () => (isCharged() ? 'lose' : 'pass');
    await rig.begin(12_500, 'B');
    await rig.until(isCharged, 'the charge');
    rig.cable.pull();
    await rig.until(
      () => rig.payments.operationsInDoubt().length > 0 && !rig.simulator.state().busy,
      'doubt',
    );

    rig.simulator.replaceTerminal(own);
    rig.cable.onPiece = () => 'pass';
    rig.cable.put();
    await rig.until(() => rig.asked().length > 0, 'the call for a person');
    expect(rig.status('B')).toBe('unknown');
    expect(rig.asked()).toEqual([
      expect.stringContaining('nothing shows that it is still the same terminal'),
    ]);
  },
);

it.each(['no-id', 'strict'] as const)(
  'another protocol is another terminal, whether ids are told or not (%s): what the first has not settled is named',
  async (dialect) => {
    const before = await terminalUp(ecrEdcTerminal('generic', { dialect: ecrEdcDialects[dialect] }));
    expect(await before.sell(1_200, 'A')).toBe('approved');
    await before.ready();
    await before.crash();
    const folder = tempFolder('other-protocol');
    for (const name of readdirSync(before.folder).filter((file) => file.startsWith('journal')))
      cpSync(join(before.folder, name), join(folder, name));

    const now = await terminalUp(transbankTerminal(), { folder, clock: before.clock });
    expect(await now.sell(5_000, 'B')).toBe('approved');
    await now.ready();
    expect(await now.payments.submitBatch(120_000)).toMatchObject({ ok: true });
    await now.ready();
    expect([now.status('A'), now.status('B')]).toEqual(['approved', 'settled']);
    expect(now.payments.discrepancies()).toMatchObject([{ kind: 'changed_terminal', references: ['A'] }]);
  },
);
