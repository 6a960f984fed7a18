/** Rows that go in by COPY are those that were meant, on both engines. */
import { describe, expect, test } from 'vitest';
import { copyRows, type CopyValue } from '../../../src/office/database/copy-rows.ts';
import { onBothEngines } from '../support/databases.ts';

const columns = {
  place: 'integer',
  said: 'text',
  amount: 'bigint',
  simulated: 'boolean',
  id: 'uuid',
  day: 'date',
  at: 'timestamptz',
  hash: 'bytea',
} as const;
const table = `CREATE TABLE copied (
  ${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}, PRIMARY KEY (place))`;
const id = '0193b0a1-7fff-7abc-8000-00ff00ff00ff';
const names = Object.keys(columns);

/** With other columns than `place` and `said` empty. */
function row(place: number, said: string | null): CopyValue[] {
  return [place, said, null, null, null, null, null, null];
}

onBothEngines((on) => {
  const copy = (rows: readonly (readonly CopyValue[])[], into = 'copied') =>
    on.database().transaction((queries) => queries.copy(into, columns, rows));
  const kept = async (selected = names.join(', ')) => {
    const rows = await on.database().query(`SELECT ${selected} FROM copied ORDER BY place`);
    return rows.map((found) => Object.values(found));
  };

  test('each value comes back as it was, and what no text of PostgreSQL can hold is replaced', async () => {
    await on.database().run(table);
    const texts = ['', '\\N', '\\.', 'a\tb', 'a\nb', 'a\rb', '\\\\', '\\t', '’😀\u2028', 'null', null];
    const rows = texts.map((text, place) => row(place, text));
    await copy([...rows, row(texts.length, 'a\0b\ud800c\\')]);
    expect(await kept()).toEqual([...rows, row(texts.length, 'a\uFFFDb\uFFFDc\\')]);
  });

  test.each([
    [
      'amount',
      [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, -(2 ** 53) + 1],
    ],
    ['day', ['2000-01-01', '1999-12-31', '1970-01-01', '2026-02-28', '2400-02-29', '9999-12-31']],
    [
      'at',
      [
        '2000-01-01T00:00:00.000Z',
        '1999-12-31T23:59:59.999Z',
        '2026-11-28T05:06:07.089Z',
        '1583-01-01T00:00:00.001Z',
      ],
    ],
    ['simulated', [true, false]],
    ['id', [id, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ])('a value of the column "%s" comes back as it was', async (name, values) => {
    await on.database().run(table);
    await copy(
      values.map((value, place) =>
        names.map((one) => (one === 'place' ? place : one === name ? value : null)),
      ),
    );
    expect(await kept(name)).toEqual(values.map((value) => [value]));
  });

  test('a number of 64 bits and bytes come back as they were', async () => {
    await on.database().run(table);
    const numbers = [2n ** 63n - 1n, -(2n ** 63n), -1n, 2n ** 32n];
    const hashes = ['', '00ff', 'ab'.repeat(32), '5c'.repeat(3)];
    await copy(
      numbers.map((number, place) => [place, null, number, null, null, null, null, hashes[place] ?? '']),
    );
    expect(await kept(`amount::text, encode(hash, 'hex')`)).toEqual(
      numbers.map((number, place) => [`${number}`, hashes[place]]),
    );
  });

  test('many rows of any length arrive whole', async () => {
    await on.database().run(table);
    const rows = Array.from({ length: 300 }, (_, place) => row(place, '’'.repeat((place * place) % 5_003)));
    await copy(rows);
    expect(await kept()).toEqual(rows);
  });

  test('a row that is there already, or does not fit, undoes all, and the connection goes on', async () => {
    await on.database().run(table);
    const rows = [1, 2].map((place) => row(place, 'a'.repeat(100_000)));
    await copy(rows);
    const again = Array.from({ length: 20 }, () => rows).flat();
    await expect(copy([row(3, ''), ...again])).rejects.toMatchObject({ code: '23505' });
    // Years that PostgreSQL does not have.
    const tooEarly = [3, '', 1, true, id, '2026-01-01', '-200000-01-01T00:00:00.000Z', ''];
    await expect(copy([tooEarly])).rejects.toMatchObject({ code: '22008' });
    await expect(copy([[3, '', 1, true, 'no-uuid', null, null, null]])).rejects.toThrow(TypeError);
    await expect(copy(rows, 'nowhere')).rejects.toMatchObject({ code: '42P01' });
    await copy([row(3, '')]);
    expect(await on.database().query('SELECT count(*) AS count FROM copied')).toEqual([{ count: 3 }]);
  });
});

describe('what is not of the type of its column is no row', () => {
  test.each<[Parameters<typeof copyRows>[0][number], CopyValue]>([
    ['integer', '1'],
    ['integer', 2 ** 31],
    ['integer', 1.5],
    ['bigint', 2 ** 53],
    ['bigint', 0.5],
    ['bigint', Number.NaN],
    ['text', 1],
    ['boolean', 'true'],
    ['uuid', id.slice(1)],
    ['uuid', id.replace('a', 'g')],
    ['date', 'today'],
    ['date', '2026-01-31T12:00:00Z'],
    ['timestamptz', 'now'],
    ['uuid', `${'0'.repeat(33)}---`],
    ['date', '2026'],
    ['bytea', 'abc'],
    ['bytea', 'x'.repeat(510)],
    ['bytea', 'xy'],
  ])('%s %j', (type, value) => {
    expect(() => copyRows([type], [[value]])).toThrow(/ is no |out of range/);
  });

  test('too few values', () => {
    expect(() => copyRows(['integer', 'text'], [[1]])).toThrow('not as many values');
  });
});
