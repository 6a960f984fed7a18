import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createSandbox, SandboxStoreError } from '../../../src/remote/index.ts';
import { temporaryFolder } from './rig.ts';

const page = 4096;

it.each([
  ['two pages overwritten', (whole: Buffer) => Buffer.from(whole).fill(0xaa, page, 3 * page)],
  ['zeros in the middle', (whole: Buffer) => Buffer.from(whole).fill(0, page, whole.length - page)],
  ['half of it gone', (whole: Buffer) => whole.subarray(0, Math.floor(whole.length / 2 / page) * page)],
  ['something else', () => Buffer.alloc(10_000, 'no database ')],
])('a damaged file is refused in words: %s', async (_name, damage) => {
  const dataDir = temporaryFolder();
  await (await createSandbox({ dataDir, seed: true })).close();
  const file = path.join(dataDir, 'sandbox.sqlite');
  const damaged = damage(readFileSync(file));
  writeFileSync(file, damaged);
  await expect(createSandbox({ dataDir })).rejects.toBeInstanceOf(SandboxStoreError);
  // Whoever can repair it still has it.
  expect(readFileSync(file).equals(damaged)).toBe(true);
});
