/** `npm run sign-feed` as a publisher runs it, in a Node that needs no other one to run it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const runner = path.resolve(import.meta.dirname, '../../scripts/run.mjs');

it('makes a key, and fails where there is nothing to sign', async () => {
  const folder = tempFolder('sign-feed');
  const keyFile = path.join(folder, 'feed.pem');
  const signFeed = (...args: string[]) =>
    runProgram(process.execPath, [runner, 'sign-feed', ...args], {
      ...process.env,
      TILLBRIDGE_FEED_KEY_FILE: keyFile,
    });

  const made = signFeed('--new-key', keyFile);
  expect(await made.exited).toBe(0);
  expect(made.output()).toMatch(/^updates\.key: \S+$/m);
  expect(existsSync(keyFile)).toBe(true);

  const signed = signFeed(folder);
  expect(await signed.exited).toBe(1);
  expect(signed.output()).toContain(`There is no list of versions (such as latest-linux.yml) in ${folder}.`);
});
