/** A feed on this computer, with a real key: what it serves can be changed at any time. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicKeyText, signatureFileOf, signList } from '../../src/updates/index.ts';

export interface TestFeed {
  feed: string;
  key: string;
  /** By name; a function answers by itself. */
  files: Map<string, Uint8Array | ((response: ServerResponse) => void)>;
  /** The paths that were asked for. */
  asked: string[];
  /** Puts up a signed list of `version` with one file. */
  publish(version: string, options?: { listFile?: string; notes?: string; content?: Buffer }): void;
  /** Puts up `list` with its right signature. */
  sign(listFile: string, list: Buffer): void;
  close(): Promise<void>;
}

export const listFile = 'latest-linux.yml';

export function listText(version: string, content: Buffer, notes = `What is new in ${version}`): string {
  const sha512 = createHash('sha512').update(content).digest('base64');
  const file = `Tillbridge-${version}.AppImage`;
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${file}`,
    `    sha512: ${sha512}`,
    `    size: ${content.length}`,
    `path: ${file}`,
    `sha512: ${sha512}`,
    `releaseNotes: ${JSON.stringify(notes)}`,
    "releaseDate: '2026-11-01T10:00:00.000Z'",
    '',
  ].join('\n');
}

export async function startFeed(): Promise<TestFeed> {
  const keys = generateKeyPairSync('ed25519');
  const files: TestFeed['files'] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace(/^\/feed\//, '').replace(/\?.*$/, '');
    asked.push(name);
    const file = files.get(name);
    if (file === undefined) return void response.writeHead(404).end();
    if (typeof file === 'function') return file(response);
    response.end(file);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const sign = (name: string, list: Buffer) => {
    files.set(name, list);
    files.set(signatureFileOf(name), Buffer.from(signList(name, list, keys.privateKey)));
  };
  return {
    feed: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`,
    key: publicKeyText(keys.privateKey),
    files,
    asked,
    sign,
    publish(version, options = {}) {
      const name = options.listFile ?? listFile;
      const content = options.content ?? Buffer.from(`the program ${version}`);
      const list = Buffer.from(listText(version, content, options.notes));
      sign(name, list);
      files.set(`Tillbridge-${version}.AppImage`, content);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
