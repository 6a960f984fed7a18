/**
 * How this bridge became one of the office's: a code of the office, which a person has put into the settings, is exchanged
 * for a key of the bridge's own. The key is kept in `office.json` in the data folder, with the office that gave it; before
 * that, while it is not known whether the office has taken it, in `office-enrolment.json`.
 */
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { errorText } from '../../base/error-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import { readPlainFile } from '../../base/private-files.ts';
import type { EnrolResponse } from '../../contract/office.ts';

const fileName = 'office.json';
const enrolmentFileName = 'office-enrolment.json';
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

const enrolmentSchema = z.object({
  office: z.string(),
  /** SHA-256 of it. */
  code: z.string(),
  key: z.string().regex(keyPattern),
});

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
  keepFile(path.join(dataDir, fileName), access);
  try {
    rmSync(path.join(dataDir, enrolmentFileName), { force: true });
  } catch {
    // It holds no more than the file beside it.
  }
}

/**
 * The key that is to be had for this code: the same for each attempt, also after a restart, so that the office knows this
 * bridge again when its answer was lost. `newKey` makes one for the first. Throws what the file system throws, and then
 * the office must not be asked: it takes a code only once.
 */
export function keyForCode(
  dataDir: string,
  { office, code, newKey }: { office: string; code: string; newKey(): string },
): string {
  const file = path.join(dataDir, enrolmentFileName);
  const begun = readEnrolment(file);
  if (begun?.office === office && begun.code === codeHash(code)) return begun.key;
  const key = newKey();
  keepFile(file, { office, code: codeHash(code), key });
  return key;
}

/** Null: none is under way. */
function readEnrolment(file: string): z.infer<typeof enrolmentSchema> | null {
  try {
    const parsed = parseJson(readPlainFile(file, { maxBytes: maxFileBytes, own: true }).toString('utf8'));
    return parsed.ok ? (enrolmentSchema.safeParse(parsed.value).data ?? null) : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function keepFile(file: string, content: object): void {
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
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
