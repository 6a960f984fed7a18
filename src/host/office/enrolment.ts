/**
 * How this bridge became one of the office's: a code of the office, which a person has put into the settings, is exchanged
 * for a key of the bridge's own. The key is kept in `office.json` in the data folder, with the office that gave it.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { errorText } from '../../base/error-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import { readPlainFile } from '../../base/private-files.ts';
import type { EnrolResponse } from '../../contract/office.ts';

const fileName = 'office.json';
const maxFileBytes = 16 * 1024;

/** It becomes a header. */
const keyPattern = /^[\x21-\x7e]{1,1000}$/;

const accessSchema = z.object({
  /** Its address, as `officeAddressOf` gives it. */
  office: z.string(),
  bridgeId: z.string(),
  key: z.string().regex(keyPattern),
  shop: z.object({ id: z.string(), name: z.string() }),
  /** SHA-256 of the code that was exchanged: it does not count again. */
  usedCode: z.string(),
});
export type OfficeAccess = z.infer<typeof accessSchema>;

/** Two ways to write the address of one office are one address. */
export function officeAddressOf(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

export type KeptAccess =
  { kind: 'none' } | { kind: 'kept'; access: OfficeAccess } | { kind: 'unusable'; message: string };

export function readAccess(dataDir: string): KeptAccess {
  const file = path.join(dataDir, fileName);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxFileBytes, own: true }).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'none' };
    return { kind: 'unusable', message: `${file} cannot be read: ${errorText(error)}` };
  }
  const parsed = parseJson(text);
  const access = parsed.ok ? accessSchema.safeParse(parsed.value) : null;
  if (access?.success === true) return { kind: 'kept', access: access.data };
  return { kind: 'unusable', message: `${file} does not hold the key of a head office.` };
}

/** Throws what the file system throws. */
export function keepAccess(dataDir: string, access: OfficeAccess): void {
  replaceFile(path.join(dataDir, fileName), `${JSON.stringify(access, null, 2)}\n`);
}

/** Null: its key is none. */
export function accessOf(
  office: string,
  code: string,
  { bridgeId, key, shop }: EnrolResponse,
): OfficeAccess | null {
  return keyPattern.test(key) ? { office, bridgeId, key, shop, usedCode: codeHash(code) } : null;
}

export type NextStep =
  | { kind: 'use'; access: OfficeAccess }
  | { kind: 'enrol'; code: string }
  /** `message` tells a person what to do. */
  | { kind: 'wait'; trouble: 'code_missing' | 'key_unknown'; message: string };

/** What is to be done next. `keyRefused`: the office has just said that it does not know the key that is kept. */
export function nextStep(
  kept: KeptAccess,
  { office, code, keyRefused }: { office: string; code: string | null; keyRefused: boolean },
): NextStep {
  const access = kept.kind === 'kept' ? kept.access : null;
  if (access?.office === office && !keyRefused) return { kind: 'use', access };
  if (code !== null && codeHash(code) !== access?.usedCode) return { kind: 'enrol', code };
  const newCode = 'Have it make a new code for this shop, and set that with --office-code.';
  if (access === null) {
    const message = `The head office at ${office} does not know this bridge yet. ${newCode}`;
    return {
      kind: 'wait',
      trouble: 'code_missing',
      message: kept.kind === 'unusable' ? `${kept.message} ${message}` : message,
    };
  }
  if (access.office !== office) {
    const message = `This bridge belongs to the head office at ${access.office}, not to the one at ${office}. ${newCode}`;
    return { kind: 'wait', trouble: 'code_missing', message };
  }
  const message = `The head office at ${office} no longer knows the key of this bridge, so it has to be enrolled again. ${newCode}`;
  return { kind: 'wait', trouble: 'key_unknown', message };
}

/** People type a code with or without its hyphens, in any case. */
function codeHash(code: string): string {
  return hash('sha256', code.toUpperCase().replaceAll('-', ''), 'hex');
}
