/** Plays chunks of a target's tries; the same seed and chunk play the same inputs. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createRandom } from '../support/random.ts';
import { damaged } from './mutate.ts';
import type { FuzzSession, FuzzTarget } from './target.ts';

/** An input that broke the rule, and how. */
interface Finding {
  input: Uint8Array;
  /** The error's stack, which begins with its message. */
  error: string;
}

export interface ChunkResult {
  tries: number;
  /** How often each outcome came. */
  outcomes: ReadonlyMap<string, number>;
  findings: readonly Finding[];
  /** The first input that had each outcome. */
  firsts: ReadonlyMap<string, Uint8Array>;
}

const maxFindings = 5;
/** The longest input that may join the corpus, in bytes: long ones only make the following ones slow. */
const maxKeptLength = 8_192;
/** So many kinds of outcomes are followed. */
const maxFollowed = 500;

/** The target's seeds and the files of its corpus. */
export function corpusOf(target: FuzzTarget): Uint8Array[] {
  const folder = path.join(import.meta.dirname, 'corpus', target.name);
  let files: string[] = [];
  try {
    files = readdirSync(folder).toSorted();
  } catch {
    // It has no files yet.
  }
  const corpus = [
    ...target.seeds(),
    ...files.map((file) => new Uint8Array(readFileSync(path.join(folder, file)))),
  ];
  if (corpus.length === 0) throw new Error(`${target.name} has no input to begin from.`);
  return corpus;
}

/** Plays `tries` inputs, the corpus as it is first in chunk 0. Stops after some findings. */
export async function playChunk(
  target: FuzzTarget,
  session: FuzzSession,
  { seed, chunk, tries }: { seed: number; chunk: number; tries: number },
): Promise<ChunkResult> {
  const random = createRandom(seed, chunk);
  const corpus = corpusOf(target);
  const asTheyAre = chunk === 0 ? [...corpus] : [];
  const outcomes = new Map<string, number>();
  const firsts = new Map<string, Uint8Array>();
  const findings: Finding[] = [];
  let played = 0;
  while (played < tries && findings.length < maxFindings) {
    const input = asTheyAre.shift() ?? target.make?.(random, corpus) ?? damaged(random, corpus);
    played += 1;
    try {
      const outcome = await outcomeOf(session, input);
      const before = outcomes.get(outcome) ?? 0;
      outcomes.set(outcome, before + 1);
      if (before > 0 || firsts.size >= maxFollowed) continue;
      firsts.set(outcome, input);
      if (input.length <= maxKeptLength) corpus.push(input);
    } catch (error) {
      findings.push({
        input,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
  return { tries: played, outcomes, findings, firsts };
}

/** Most targets answer at once; a promise for each of ten million tries would be half of the work. */
function outcomeOf(session: FuzzSession, input: Uint8Array): string | Promise<string> {
  return session.play(input);
}
