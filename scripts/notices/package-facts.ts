/** What an installed package says of itself and of its licence. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isAllowed, textLeftOut } from './licences.ts';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  homepage: z.string().optional(),
});

export interface PackageFacts {
  name: string;
  version: string;
  /** SPDX. */
  license: string;
  homepage: string | null;
  /** Its licence, and the notice that the Apache licence speaks of where there is one. */
  text: string;
}

const textFile = /^(licen[cs]e|copying|notice|unlicense|ofl)([.-].*)?$/i;

/** Of the package in `folder`. Throws where it may not be shipped: no licence text, or a licence that is not allowed. */
export function readFacts(folder: string): PackageFacts {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
  const { name, version, license, homepage } = manifest;
  if (license === undefined || !isAllowed(license)) {
    throw new Error(
      `${name} ${version} is under ${license ?? 'no licence that it names'}, which scripts/notices/licences.ts does not allow.`,
    );
  }
  const texts = readdirSync(folder)
    .filter((file) => textFile.test(file))
    .sort()
    .map((file) => tidy(readFileSync(path.join(folder, file), 'utf8')))
    .filter((text) => text !== '');
  const leftOut = textLeftOut(name, version);
  if (texts.length === 0 && leftOut !== null) texts.push(leftOut);
  if (texts.length === 0)
    throw new Error(`${name} ${version} is under ${license} and brings no licence text.`);
  return { name, version, license, homepage: homepage ?? null, text: texts.join('\n\n') };
}

/** Without what differs between two copies of one text: line ends, blanks at the end, a byte order mark. */
function tidy(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll(/[ \t]*\r?\n/g, '\n')
    .trim();
}
