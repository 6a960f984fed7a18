/** What `npm run sign-feed` signs, a till believes; and it signs nothing that a till would refuse. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { signFeed } from '../../scripts/feed/sign.ts';
import { isSigned } from '../../src/updates/signature.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { listText } from '../updates/test-feed.ts';

test('a folder is signed with a key of its own making, and a list that does not fit its file is not', () => {
  const folder = tempFolder('sign-feed');
  const keyFile = path.join(folder, 'feed.pem');
  const [made] = signFeed(['--new-key', keyFile], {});
  const key = made?.replace('updates.key: ', '') ?? '';
  if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(() => signFeed(['--new-key', keyFile], {})).toThrow('EEXIST');

  const program = Buffer.from('the program');
  const listFile = path.join(folder, 'beta-linux.yml');
  writeFileSync(listFile, listText('0.2.0', program));
  writeFileSync(path.join(folder, 'Tillbridge-0.2.0.AppImage'), program);
  const environment = { TILLBRIDGE_FEED_KEY_FILE: keyFile };
  expect(signFeed([folder], environment)).toEqual(['signed beta-linux.yml', made]);
  const signature = readFileSync(`${listFile}.sig`, 'utf8');
  const list = readFileSync(listFile);
  expect(isSigned('beta-linux.yml', list, signature, key)).toBe(true);
  expect(isSigned('latest-linux.yml', list, signature, key)).toBe(false);

  writeFileSync(path.join(folder, 'Tillbridge-0.2.0.AppImage'), 'another program');
  expect(() => signFeed([folder], environment)).toThrow('Nothing was signed');
  expect(() => signFeed([folder], {})).toThrow('TILLBRIDGE_FEED_KEY');
});
