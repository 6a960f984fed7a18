/** What was found last, for those who ask again and again: the file is read only when it is another one. */
import { fileStamp } from '../../base/file-stamp.ts';
import type { KeptResults } from './kept-results.ts';
import { moneyFiles, moneyFolder, type MoneyPlace } from '../money-place.ts';
import { readResults, type Kept } from './money-files.ts';

/** The same object as long as nobody has written anything else. */
export function createResultsReader(): (place: MoneyPlace) => Kept<KeptResults | null> {
  let last: { stamp: string; found: Kept<KeptResults | null> } | null = null;
  return (place) => {
    const { results } = moneyFiles(place);
    const stamp = `${results} ${fileStamp(results)}`;
    if (last?.stamp !== stamp) last = { stamp, found: readResults(moneyFolder(place)) };
    return last.found;
  };
}
