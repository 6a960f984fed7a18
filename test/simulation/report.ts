/** The counts of a simulation as tables, for people and for the documentation. */

const groups = [
  ['outcome', 'What the tills knew of the payments in the end'],
  ['client', 'What the client of a till said at last'],
  ['network', "What happened between the till's client and the bridge"],
  ['dialect', 'Payments on each dialect'],
  ['line', 'Payments on each kind of line'],
  ['accident', 'Accidents'],
  ['journal', "What became of the journal's files"],
  ['by hand', 'Done at the terminal by hand'],
  ['doubt', 'Doubts left to a person, and why'],
  ['decision', 'Doubts decided by a person'],
  ['discrepancy', 'Discrepancies found'],
  ['answer', 'Answers to the tills'],
] as const;

export function tablesOf(counts: ReadonlyMap<string, number>): string {
  return groups
    .flatMap(([prefix, title]) => {
      const rows = [...counts]
        .filter(([name]) => name.startsWith(`${prefix} `))
        .map(([name, count]) => [name.slice(prefix.length + 1).replaceAll('_', ' '), count] as const)
        .toSorted((one, other) => other[1] - one[1]);
      if (rows.length === 0) return [];
      const lines = rows.map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`);
      return [`| ${title} | |\n|---|---:|\n${lines.join('\n')}`];
    })
    .join('\n\n');
}

/** How often a person was called in all. */
export function doubtsIn(counts: ReadonlyMap<string, number>): number {
  return [...counts].reduce((sum, [name, count]) => (name.startsWith('doubt ') ? sum + count : sum), 0);
}
