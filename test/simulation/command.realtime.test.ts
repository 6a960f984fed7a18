/** `npm run simulate` where the bridge has a defect: what it prints is enough to see the same again, in words and shorter. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defects } from './defects/list.ts';
import { copyWithDefect } from './defects/plant.ts';

const rule = 'an operation is sent once, and not after its end';
let folder: string;
beforeAll(() => {
  const defect = defects.find(({ name }) => name === 'a refusal is tried once more');
  if (defect === undefined) throw new Error('The list of defects has another name for it.');
  folder = copyWithDefect(defect);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function simulate(words: string): { status: number | null; output: string } {
  const args = ['test/simulation/simulate.ts', ...words.split(' ')];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout };
}

/** What stands behind "npm run simulate -- " in a line of its own. */
function printedCommand(output: string): string {
  const [, words] = /^npm run simulate -- (.+)$/m.exec(output) ?? [];
  if (words === undefined) throw new Error(`No command in:\n${output}`);
  return words;
}

/** The steps that a run tells, by their numbers. */
const stepsIn = (words: string) => (/--keep (\S+)/.exec(words)?.[1] ?? '').split(',');

it('a finding has a command that plays its run again in words, and finds a shorter one', () => {
  const many = simulate('--payments 100 --seed 1 --jobs 1');
  expect(many).toMatchObject({ status: 1, output: expect.stringContaining(`  ${rule}: `) as string });
  const command = printedCommand(many.output);
  expect(command).toMatch(/^--protocol zvt --run \d+$/);

  const again = simulate(command);
  expect(again.status).toBe(1);
  expect(again.output).toContain(`FINDING: ${rule}: `);
  // What a person would want to know: what the till asked and what the terminal did.
  expect(again.output).toMatch(/^ +[\d.]+ s {2}.*CreatePayment/m);

  const shrunk = simulate(`${command} --shrink`);
  expect(shrunk.status).toBe(1);
  const shorter = printedCommand(shrunk.output);
  const [broken = ''] = shrunk.output.split(': ');
  const last = simulate(shorter);
  expect(last.status).toBe(1);
  expect(last.output).toContain(`FINDING: ${broken}: `);
  const lines = (text: string) => text.split('\n').length;
  expect(lines(last.output)).toBeLessThan(lines(again.output) / 2);

  // Without one of them it breaks the rule no more.
  const [, ...fewer] = stepsIn(shorter);
  const without = simulate(`${command} --keep ${fewer.join(',') || 'none'}`);
  expect(without.output).not.toContain(`FINDING: ${broken}: `);
});

it('a run that breaks no rule says so', () => {
  expect(simulate('--protocol kpay --run 1000000 --shrink')).toEqual({
    status: 0,
    output: 'This run breaks no rule.\n',
  });
});
