/** Run where files may not grow beyond 1 kB: what is replaced and what is added to, and what is said of it, as JSON. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../src/base/atomic-file.ts';
import { keepDecision, readDecisions } from '../../src/host/reconcile/money-files.ts';

const [, , folder = ''] = process.argv;
const attempt = (act: () => void) => {
  try {
    act();
    return 'done';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
};
const decision = {
  kind: 'match' as const,
  batchIds: ['b1', 'b2'],
  acquirer: 'Acme',
  entryIds: ['c1'],
  by: 'Ada',
  at: '2024-06-13T10:00:00.000Z',
};

const file = path.join(folder, 'settings.json');
const replaced = [
  attempt(() => replaceFile(file, 'old')),
  attempt(() => replaceFile(file, 'x'.repeat(9_000))),
];
const decided = ['short', 'y'.repeat(1_900)].map((reason) =>
  attempt(() => keepDecision(folder, { ...decision, reason })),
);
const kept = readDecisions(folder);
console.log(
  JSON.stringify({ replaced, bytes: statSync(file).size, decided, kept: kept.ok && kept.value.length }),
);
