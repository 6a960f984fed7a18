/** What `npm run sign-feed` does: makes the key of a feed of updates, and signs its lists of versions with it. */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { publicKeyText, signatureFileOf, signList } from '../../src/updates/index.ts';

/** Does what the command line asks for, and gives the lines to print. Throws an error with a sentence for people. */
export function signFeed(args: string[], environment: NodeJS.ProcessEnv): string[] {
  const [first, second, ...others] = args;
  if (first === '--new-key' && second !== undefined && others.length === 0) return newKey(second);
  if (first === undefined || first.startsWith('-') || second !== undefined)
    throw new Error('usage: npm run sign-feed -- FOLDER   or   npm run sign-feed -- --new-key FILE');
  const key = privateKey(environment);
  const lists = readdirSync(first).filter((name) => /^(latest|beta)(-[a-z0-9-]+)?\.yml$/.test(name));
  if (lists.length === 0)
    throw new Error(`There is no list of versions (such as latest-linux.yml) in ${first}.`);
  for (const list of lists) checkFiles(first, list);
  for (const list of lists) {
    const text = signList(list, readFileSync(path.join(first, list)), key);
    writeFileSync(path.join(first, signatureFileOf(list)), text);
  }
  return [...lists.map((list) => `signed ${list}`), `updates.key: ${publicKeyText(key)}`];
}

function newKey(file: string): string[] {
  const { privateKey: made } = generateKeyPairSync('ed25519');
  writeFileSync(file, made.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  return [`updates.key: ${publicKeyText(made)}`];
}

function privateKey(environment: NodeJS.ProcessEnv): KeyObject {
  const file = environment['TILLBRIDGE_FEED_KEY_FILE'] ?? '';
  const pem = file === '' ? (environment['TILLBRIDGE_FEED_KEY'] ?? '') : readFileSync(file, 'utf8');
  if (pem === '')
    throw new Error(
      'Name the private key: TILLBRIDGE_FEED_KEY_FILE has its file, or TILLBRIDGE_FEED_KEY is it.',
    );
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key must be an Ed25519 key.');
  return key;
}

/** A list that does not fit its files would be refused by every till. */
function checkFiles(folder: string, list: string): void {
  const text = readFileSync(path.join(folder, list), 'utf8');
  const { files } = parseUpdateInfo(text, list, new URL('file:///'));
  for (const { url, sha512 } of files) {
    const found = createHash('sha512')
      .update(readFileSync(path.join(folder, url)))
      .digest('base64');
    if (found !== sha512) throw new Error(`${url} is not the file that ${list} names. Nothing was signed.`);
  }
}
