/** How V8 uses memory: a bridge runs all day on a till that has other things to do. */
import { setFlagsFromString } from 'node:v8';

/** Of Node. Another V8 may not know these flags, and would say so at each start. */
const knownMajor = '24';

/**
 * A payment leaves some hundred kilobytes that nobody needs any more. Unasked, V8 lets them lie until they are many times
 * what is in use: the memory of a bridge with 25 MB in use grew to 250 MB within a thousand payments. Only flags that V8
 * looks at while it runs have an effect here. They cost a start a twentieth, and a payment nothing that could be measured.
 */
export function keepMemorySmall(): void {
  if (process.versions.node.split('.')[0] !== knownMajor) return;
  // What has just been made is looked through as soon as there is one megabyte of it, instead of up to sixteen.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Everything is, when it has grown by six tenths.
  setFlagsFromString('--heap-growing-percent=60');
}
