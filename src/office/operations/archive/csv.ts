/**
 * Rows as PostgreSQL's `COPY … (FORMAT csv, HEADER)` reads and writes them: NULL is nothing between two commas, every other
 * value is in quotes. So a file can be read without Tillbridge as well.
 */
export type CsvRow = (string | null)[];

export function csvText(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}

function cell(value: string | null): string {
  return value === null ? '' : `"${value.replaceAll('"', '""')}"`;
}

class CsvError extends Error {
  override name = 'CsvError';
}

/** Takes text in pieces of any size, and gives the rows that are whole. */
export function createCsvReader() {
  let rest = '';
  /** Up to where `rest` is known to have no end of a row, and whether that is within quotes. */
  let looked = 0;
  let quoted = false;

  return {
    take(text: string): CsvRow[] {
      rest += text;
      const rows: CsvRow[] = [];
      let start = 0;
      for (; looked < rest.length; looked += 1) {
        const character = rest[looked];
        if (character === '"') quoted = !quoted;
        else if (character === '\n' && !quoted) {
          rows.push(rowOf(rest.slice(start, looked)));
          start = looked + 1;
        }
      }
      rest = rest.slice(start);
      looked -= start;
      return rows;
    },
    /** Throws when the text ends within a row. */
    end(): void {
      if (rest !== '') throw new CsvError('it ends within a row');
    },
  };
}

const valuePattern = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|$)/y;

function rowOf(line: string): CsvRow {
  const values: CsvRow = [];
  valuePattern.lastIndex = 0;
  for (;;) {
    const match = valuePattern.exec(line);
    if (match === null) throw new CsvError('a row of it is none');
    const [, inQuotes, plain, separator] = match;
    values.push(
      inQuotes === undefined ? (plain === '' ? null : (plain ?? null)) : inQuotes.replaceAll('""', '"'),
    );
    if (separator === '') return values;
  }
}
