import { expect, it } from 'vitest';
import type { DayReport } from '../../src/contract/console/index.ts';
import { dayReportCsv } from '../../src/host/saved-files/report-csv.ts';

const nothing = { count: 0, items: [] };
const report = (changes: Partial<DayReport>): DayReport => ({
  currencies: [],
  voids: nothing,
  doubts: nothing,
  decisions: nothing,
  discrepancies: nothing,
  batches: nothing,
  complete: true,
  ...changes,
});
const sections = (changes: Partial<DayReport>) =>
  [...dayReportCsv(report(changes))].slice(1).map((line) => line.split(',').slice(0, 5).join(','));

it('the table of a day says what it leaves out', () => {
  expect(sections({ doubts: { count: 7, items: [] }, complete: false })).toEqual([
    '"left_out","doubts","","","7"',
    '"left_out","rest_of_day","","",""',
  ]);
});

it('and says nothing of that on another day', () => {
  expect(sections({})).toEqual([]);
});
