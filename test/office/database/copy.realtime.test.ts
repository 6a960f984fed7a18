/** Rows that go in by COPY are those that were meant, on both engines. */
import { expect, test } from 'vitest';
import { copyLine, type CopyValue } from '../../../src/office/database/copy-lines.ts';
import { onBothEngines } from '../support/databases.ts';

const table = 'CREATE TABLE copied (place integer PRIMARY KEY, said text, amount bigint, simulated boolean)';
const columns = ['place', 'said', 'amount', 'simulated'];

onBothEngines((on) => {
  test('each value comes back as it was, and what no text of PostgreSQL can hold is replaced', async () => {
    await on.database().run(table);
    const texts = ['', '\\N', '\\.', 'a\tb', 'a\nb', 'a\rb', '\\\\', '\\t', '’😀\u2028', 'null', null];
    const rows: CopyValue[][] = texts.map((text, place) => [
      place,
      text,
      place === 0 ? null : -place,
      place > 1,
    ]);
    rows.push([texts.length, 'a\0b\ud800c\\', 2 ** 52, false]);
    await on
      .database()
      .transaction((queries) => queries.copy('copied', columns, rows.map(copyLine).join('')));
    const kept = await on.database().query('SELECT * FROM copied ORDER BY place');
    expect(kept.map((row) => columns.map((column) => row[column]))).toEqual([
      ...rows.slice(0, -1),
      [texts.length, 'a\uFFFDb\uFFFDc\\', 2 ** 52, false],
    ]);
  });

  test('a row that is there already, or does not fit, undoes all, and the connection goes on', async () => {
    await on.database().run(table);
    const copy = (lines: string) =>
      on.database().transaction((queries) => queries.copy('copied', columns, lines));
    const lines = [1, 2].map((place) => copyLine([place, 'a'.repeat(100_000), null, true])).join('');
    await copy(lines);
    await expect(copy(copyLine([3, '', 1, true]) + lines.repeat(20))).rejects.toMatchObject({
      code: '23505',
    });
    await expect(copy('3\tx\n')).rejects.toMatchObject({ code: '22P04' });
    await expect(
      on.database().transaction((queries) => queries.copy('nowhere', columns, lines)),
    ).rejects.toMatchObject({ code: '42P01' });
    await copy(copyLine([3, '', 1, true]));
    expect(await on.database().query('SELECT count(*) AS count FROM copied')).toEqual([{ count: 3 }]);
  });
});
