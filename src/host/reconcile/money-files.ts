/** What is kept beside the journal of where the money is: people's decisions, and what was found last. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { errorText } from '../../base/error-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import { openToAppend, readPlainFile } from '../../base/private-files.ts';
import { canonicalJson } from '../../bridge/journal/index.ts';
import { maskCardNumbers } from '../../log/index.ts';
import { readRules, type Decision, type Rules } from '../../reconcile/index.ts';
import { decisionsFileName, resultsFileName } from '../money-place.ts';
import { keptResultsSchema, type KeptResults } from './kept-results.ts';

const maxRulesBytes = 1024 * 1024;
const maxDecisionsBytes = 64 * 1024 * 1024;
const maxResultsBytes = 256 * 1024 * 1024;

export type RulesFile =
  | { ok: true; rules: Rules; /** Of their content, whatever its order and blanks. */ version: string }
  | { ok: false; /** There is no such file. */ missing?: true; errors: string[] };

/** Sentences name the file, and the place in it. */
export function readRulesFile(file: string): RulesFile {
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxRulesBytes, followLinks: true }).toString('utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const errors = [`The rules in ${file} cannot be read: ${errorText(error)}`];
    return { ok: false, errors, ...(missing ? { missing } : {}) };
  }
  const parsed = parseJson(text);
  if (!parsed.ok)
    return { ok: false, errors: [`${file} is not JSON: see line ${parsed.line}, column ${parsed.column}.`] };
  const read = readRules(parsed.value);
  if (!read.ok) return { ok: false, errors: read.errors.map((error) => `${file}: ${error}`) };
  const hash = createHash('sha256').update(canonicalJson(read.rules)).digest('hex');
  return { ok: true, rules: read.rules, version: hash.slice(0, versionLength) };
}

const versionLength = 12;

const decisionText = z.string().trim().min(1).max(2_000);
/** One line of the file is one decision, whole or not at all, of however many batches. */
const decisionSchema = z.strictObject({
  kind: z.enum(['match', 'unmatch']),
  batchIds: z.array(z.string().min(1).max(100)).min(1),
  acquirer: z.string().min(1).max(100),
  entryIds: z.array(z.string().min(1).max(200)).min(1).max(100),
  by: decisionText,
  reason: decisionText,
  at: z.iso.datetime(),
});
export type KeptDecision = z.infer<typeof decisionSchema>;

export type Kept<T> = { ok: true; value: T } | { ok: false; message: string };

/** All decisions of `folder`, each once for each of its batches; none where nobody has decided anything yet. */
export function readDecisions(folder: string): Kept<Decision[]> {
  const file = path.join(folder, decisionsFileName);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxDecisionsBytes, own: true }).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ok: true, value: [] };
    return { ok: false, message: `${file} cannot be read: ${errorText(error)}` };
  }
  const decisions: Decision[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = parseJson(line);
    const decision = decisionSchema.safeParse(parsed.ok ? parsed.value : null);
    // What a person has decided is never left out in silence.
    if (!decision.success) return { ok: false, message: `${file}: line ${at + 1} is no decision.` };
    const { batchIds, ...rest } = decision.data;
    decisions.push(...batchIds.map((batchId) => ({ ...rest, batchId })));
  }
  return { ok: true, value: decisions };
}

/** Adds it, on disk when it returns. Throws what the file system throws, with nothing added, and a ZodError for what is none. */
export function keepDecision(folder: string, decision: KeptDecision): void {
  const by = maskCardNumbers(decision.by);
  const reason = maskCardNumbers(decision.reason);
  const line = `${JSON.stringify(decisionSchema.parse({ ...decision, by, reason }))}\n`;
  const descriptor = openToAppend(path.join(folder, decisionsFileName));
  const { size } = fstatSync(descriptor);
  try {
    writeFileSync(descriptor, line);
    fsyncSync(descriptor);
  } catch (error) {
    // Half a line would be what everybody stumbles on from now on.
    ftruncateSync(descriptor, size);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces what was found before. Card numbers are masked, should a remark hold one; ids stay, as decisions name them. */
export function keepResults(folder: string, results: KeptResults): void {
  const masked = JSON.stringify(results, (name, value: unknown) =>
    typeof value === 'string' && writtenByPeople.has(name) ? maskCardNumbers(value) : value,
  );
  replaceFile(path.join(folder, resultsFileName), `${masked}\n`);
}

const writtenByPeople = new Set(['remark', 'sender', 'code', 'by', 'reason']);

/** What was found last; null where nobody has looked yet. */
export function readResults(folder: string): Kept<KeptResults | null> {
  const file = path.join(folder, resultsFileName);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxResultsBytes, own: true }).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { ok: true, value: null };
    return { ok: false, message: `${file} cannot be read: ${errorText(error)}` };
  }
  const parsed = parseJson(text);
  const results = keptResultsSchema.safeParse(parsed.ok ? parsed.value : null);
  if (results.success) return { ok: true, value: results.data };
  return { ok: false, message: `${file} was written by another version, or is damaged: look again.` };
}
