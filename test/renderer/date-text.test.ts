/** Days and times in the order of the window's language, and what of them is understood when somebody types. */
import { describe, expect, test } from 'vitest';
import { createDateTexts, shiftMonth, weeksOf } from '../../src/renderer/messages/date-text.ts';

const now = new Date(2026, 4, 12, 14, 0, 0);
const german = createDateTexts('de', 'en-US');
const british = createDateTexts('en', 'en-GB');
const american = createDateTexts('en', 'en-US');

describe('a day', () => {
  test('is written in the order of the language, whatever the browser speaks', () => {
    const texts = [german, british, american].map((each) => each.day('2026-05-09'));
    expect(texts).toEqual(['09.05.2026', '09/05/2026', '05/09/2026']);
    expect(createDateTexts('de', 'zh-CN').day('2026-05-09')).toBe('09.05.2026');
    // Some system says so; it is no language tag.
    expect(createDateTexts('de', 'en-US@posix').day('2026-05-09')).toBe('09.05.2026');
  });

  test('has a pattern in the letters of the language', () => {
    const letters = { day: 'TT', month: 'MM', year: 'JJJJ', hour: 'hh', minute: 'mm', second: 'ss' };
    expect(german.pattern(letters, 'day')).toBe('TT.MM.JJJJ');
    expect(german.pattern(letters, 'time')).toBe('TT.MM.JJJJ, hh:mm:ss');
    expect(american.pattern({ ...letters, day: 'DD', year: 'YYYY' }, 'day')).toBe('MM/DD/YYYY');
  });

  test.each([
    ['09.05.2026', '2026-05-09'],
    [' 9.5.26 ', '2026-05-09'],
    ['9.5.', '2026-05-09'],
    ['9/5/2026', '2026-05-09'],
    ['2026-05-09', '2026-05-09'],
    ['29.02.2028', '2028-02-29'],
    ['29.02.2026', null],
    ['31.04.2026', null],
    ['05.13.2026', null],
    ['9.5.226', null],
    ['9.5.1999', null],
    ['9.5.2026.1', null],
    ['9', null],
    ['9. Mai 2026', null],
    ['morgen', null],
    ['', null],
  ])('in German, "%s" is %s', (text, day) => {
    expect(german.readDay(text, now)).toBe(day);
  });

  test('with the month first is understood where it is written so', () => {
    expect(american.readDay('5/9/2026', now)).toBe('2026-05-09');
    expect(british.readDay('5/9/2026', now)).toBe('2026-09-05');
  });

  test.each([german, british, american])('is read as it is written', (texts) => {
    for (let month = 1; month <= 12; month += 1) {
      const day = `2026-${String(month).padStart(2, '0')}-12`;
      expect(texts.readDay(texts.day(day), now)).toBe(day);
    }
  });
});

describe('a time', () => {
  const read = (texts: typeof german, text: string, withoutTime: 'first' | 'last' = 'first') =>
    texts.readTime(text, now, withoutTime)?.getTime() ?? null;
  const at = (hour: number, minute = 0, second = 0) => new Date(2026, 4, 9, hour, minute, second).getTime();

  test.each([german, british, american])('is read as it is written', (texts) => {
    for (const hour of [0, 1, 11, 12, 13, 23])
      expect(read(texts, texts.time(new Date(at(hour, 5, 59))))).toBe(at(hour, 5, 59));
  });

  test.each([
    ['09.05.2026 14:05', at(14, 5)],
    ['9.5., 14:05:09', at(14, 5, 9)],
    ['2026-05-09T14:05:09', at(14, 5, 9)],
    ['9.5.2026 2:05 pm', at(14, 5)],
    ['9.5.2026 12:05 a.m.', at(0, 5)],
    ['9.5.2026 24:00', null],
    ['9.5.2026 13:00 pm', null],
    ['9.5.2026 14:60', null],
    ['9.5.2026 14', null],
    ['14:05', null],
  ])('"%s"', (text, instant) => {
    expect(read(german, text)).toBe(instant);
  });

  test('that is not given is the first or the last second of the day', () => {
    expect(read(german, '9.5.2026', 'first')).toBe(at(0));
    expect(read(german, '9.5.2026', 'last')).toBe(at(23, 59, 59));
  });
});

describe('a month', () => {
  test('has whole weeks, which begin as the region has it', () => {
    const weeks = weeksOf('2026-05-12', 1);
    expect(weeks).toHaveLength(5);
    expect(weeks[0]?.[0]).toBe('2026-04-27');
    expect(weeks.at(-1)?.at(-1)).toBe('2026-05-31');
    expect(weeksOf('2026-05-12', 7)[0]?.[0]).toBe('2026-04-26');
    expect(weeksOf('2026-05-12', 7).at(-1)?.at(-1)).toBe('2026-06-06');
    expect([german, british, american].map(({ firstWeekday }) => firstWeekday)).toEqual([1, 1, 7]);
  });

  test('later is the same day, or the last one there is', () => {
    expect(shiftMonth('2026-01-31', 1)).toBe('2026-02-28');
    expect(shiftMonth('2026-12-15', 1)).toBe('2027-01-15');
    expect(shiftMonth('2028-02-29', -12)).toBe('2027-02-28');
  });
});
