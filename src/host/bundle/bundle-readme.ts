/** The README of a support bundle: what is in it. */

const meanings: Record<string, string> = {
  'versions.json': 'versions of Tillbridge, of what it runs on, and of the system',
  'state.json': 'what the console showed: bridge, listener, terminal, what was in doubt',
  'configuration.json': 'the settings in force; passwords and tokens are left out',
  'ports.json': 'the serial ports that were found',
  'log-book.jsonl': 'the newest log lines with every frame on the line to the terminal',
  'discrepancies.jsonl': 'what terminal and journal disagreed about, newest first, with who acknowledged it',
  'journal.jsonl': 'the newest events of the journal, one JSON object a line, with their hashes',
};

export function bundleReadme(entries: string[], notes: string[], now: number, version: string): string {
  const width = Math.max(...entries.map((name) => name.length)) + 2;
  const lines = [
    `Support bundle of Tillbridge ${version}, made at ${new Date(now).toISOString()}.`,
    '',
    'All texts were searched for card numbers; what looked like one keeps its first six and last four digits. A hash of',
    'the journal can be hit by that, too: to verify the chain use "tillbridge journal verify" beside the journal itself.',
    '',
    ...entries.map((name) => `${name.padEnd(width)}${meanings[name] ?? meaningOfLog(name)}`),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `Note: ${note}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function meaningOfLog(name: string): string {
  return name.startsWith('simulator-') ? 'log lines (JSON) of bridges on the simulator' : 'log lines (JSON)';
}
