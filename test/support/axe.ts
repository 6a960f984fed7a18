/** What axe-core finds wrong with a page for people who see, hear or move otherwise. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Picked out in the page: all that axe says of it is long. */
const findings = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`;

/** The serious and critical findings on the page as it is now, each as a line of words. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's policy allows none but its own.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(source);
  return page.evaluate<string[]>(findings);
}
