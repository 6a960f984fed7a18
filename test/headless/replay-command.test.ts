/** `tillbridge replay`: what it prints, and how it ends. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { run } from './test-context.ts';

const recorded = join(import.meta.dirname, '../bridge/capture/recorded/transbank.jsonl');
const folder = tempFolder('replay-command');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** As if the bridge had taken the sale for declined. */
const spoilt = readFileSync(recorded, 'utf8').replace('"kind":"done"', '"kind":"declined"');

test('says that this version does the same', async () => {
  const { exitCode, output, errors } = await run(['replay', recorded]);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  expect(output).toMatch(
    /^transbank, recorded at 20\S+ by Tillbridge \S+: 8 calls of the driver, \d+ frames\.\n/,
  );
  expect(output).toContain('This version does the same.');
});

test('says of requests what the recording does not show', async () => {
  const { exitCode, output } = await run(['replay', recorded.replace('transbank', 'kpay')]);
  expect(exitCode).toBe(0);
  expect(output).toMatch(
    /^kpay, .*: 8 calls of the driver, \d+ requests\.\n {2}Keys and signatures are not in /,
  );
  expect(output).toContain('This version does the same.');
});

test('says where it would do otherwise, with exit code 1', async () => {
  const { exitCode, output } = await run(['replay', written('spoilt.jsonl', spoilt)], {
    currentFolder: folder,
  });
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    / s \(line \d+\): then it ended sale with {"kind":"declined".*now it ended sale with {"kind":"done"/,
  );
});

test('as JSON', async () => {
  const { exitCode, output } = await run(['replay', '--json', written('spoilt.jsonl', spoilt)], {
    currentFolder: folder,
  });
  expect(exitCode).toBe(1);
  expect(JSON.parse(output)).toMatchObject({
    protocol: 'transbank',
    calls: 8,
    differences: [{ was: expect.stringContaining('declined'), is: expect.stringContaining('done') }],
  });
});

test.each([
  ['a file that is not there', 'nothing.jsonl', /^The recording cannot be read: ENOENT/],
  ['something else', written('other.jsonl', 'hello'), /^Line 1 of the capture is not JSON\.$/],
])('%s: exit code 2', async (_what, name, message) => {
  const { exitCode, errors } = await run(['replay', name], { currentFolder: folder });
  expect(exitCode).toBe(2);
  expect(errors).toMatch(message);
});
