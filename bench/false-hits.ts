/**
 * How often the detector of card numbers is wrong: ordinary texts of each kind, how many of them as a reference would be
 * refused, and how many the mask changes. `node bench/false-hits.ts [TRIES [SEED]]`; 100,000 of each kind otherwise.
 */
import { holdsCardNumber, maskCardNumbers } from '../src/log/index.ts';
import { maskLine } from '../src/log/mask-line.ts';
import { frameLine, logLine, longNumbers, others, references } from '../test/support/ordinary-texts.ts';
import { createRandom, type Random } from '../test/support/random.ts';

const tries = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);

type Kinds = Record<string, (random: Random) => string>;
type Share = ((text: string) => boolean) | null;

function tell(title: string, kinds: Kinds, refused: Share, masked: Share): void {
  process.stdout.write(`\n${title.padEnd(28)}${'refused'.padStart(10)}${'masked'.padStart(10)}\n`);
  for (const [kind, make] of Object.entries(kinds)) {
    const random = createRandom(seed);
    let [refusals, masks] = [0, 0];
    for (let made = 0; made < tries; made += 1) {
      const text = make(random);
      if (refused?.(text) === true) refusals += 1;
      if (masked?.(text) === true) masks += 1;
    }
    const shares = [refused === null ? null : refusals, masked === null ? null : masks];
    process.stdout.write(`${kind.padEnd(28)}${shares.map(percent).join('')}\n`);
  }
}

function percent(count: number | null): string {
  return (count === null ? '' : `${((count / tries) * 100).toFixed(3)} %`).padStart(10);
}

const isMasked = (text: string) => maskCardNumbers(text) !== text;
const isMaskedLine = (line: string) => maskLine(line) !== line;

process.stdout.write(`${tries.toLocaleString('en')} of each kind, seed ${seed}\n`);
tell('References of shops', references, holdsCardNumber, isMasked);
tell('Numbers and nothing else', longNumbers, holdsCardNumber, isMasked);
tell('Other texts', others, null, isMasked);
tell('Lines of the log', { 'an event': logLine, 'a frame': frameLine }, null, isMaskedLine);
