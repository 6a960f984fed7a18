import { expect, test } from 'vitest';
import {
  alarmMessage,
  durationText,
  maxAlarmsInMessage,
  type AlarmNews,
  type AlarmOfMessage,
} from '../../../src/office/alarms/message.ts';

const at = '2026-11-03T13:00:00.000Z';

function alarm(news: AlarmNews, part: Partial<AlarmOfMessage> = {}): AlarmOfMessage & { news: AlarmNews } {
  return {
    news,
    alarm_id: 'a',
    rule: 'Doubts',
    watch: 'doubt',
    shop: 'Berlin',
    terminal: 'main',
    simulated: false,
    message: 'The sale R-1 is in doubt.',
    since: '2026-11-03T12:00:00.000Z',
    raised_at: '2026-11-03T12:10:00.000Z',
    times: 1,
    cleared_at: news === 'cleared' ? '2026-11-03T12:48:30.000Z' : null,
    ended: news === 'cleared' ? 'over' : null,
    ...part,
  };
}

test('counts come first, then a line for each: new ones, those that came again, those that are over', () => {
  const news = [
    alarm('cleared'),
    alarm('raised_again', { shop: 'Hamburg', terminal: null, message: 'The bridge is not heard.', times: 3 }),
    alarm('raised'),
  ];
  const { text, subject } = alarmMessage('id', at, news, 2);
  expect(text.split('\n')).toEqual([
    '1 new, 1 again, 1 over. 2 alarms stand now.',
    '',
    'New: Berlin (main): The sale R-1 is in doubt. Since 2026-11-03 12:00 UTC.',
    'Again, for the 3rd time: Hamburg: The bridge is not heard. Since 2026-11-03 12:00 UTC.',
    'Over after 48 minutes: Berlin (main): The sale R-1 is in doubt.',
  ]);
  expect(subject).toBe('Tillbridge: 1 new, 1 again, 1 over');
});

test('the last one that is over makes it all clear, and a message about one shop names it', () => {
  const { text, subject } = alarmMessage('id', at, [alarm('cleared')], 0);
  expect(text).toMatch(/^1 over\. All clear: no alarm stands now\.\n/);
  expect(subject).toBe('Tillbridge: all clear, 1 over (Berlin)');
});

test('what is no longer watched is not said to be over', () => {
  const { text } = alarmMessage('id', at, [alarm('cleared', { ended: 'not_watched' })], 0);
  expect(text).toContain('No longer watched, because the rule "Doubts" is gone: Berlin (main)');
});

test('many alarms are counted, and the oldest of the new ones shown', () => {
  const news = Array.from({ length: 30 }, (_none, minute) =>
    alarm('raised', { since: `2026-11-03T12:${String(59 - minute).padStart(2, '0')}:00.000Z` }),
  );
  const message = alarmMessage('id', at, [alarm('cleared'), ...news], 30);
  expect(message.counts).toEqual({ raised: 30, raised_again: 0, cleared: 1 });
  expect(message.alarms).toHaveLength(maxAlarmsInMessage);
  expect(message.alarms[0]?.since).toBe('2026-11-03T12:30:00.000Z');
  expect(message.more).toBe(11);
  expect(message.text.split('\n').at(-1)).toBe('And 11 more.');
});

test('a text from a shop forges no line, and brings no card number along', () => {
  const message = 'The sale 4111 1111 1111 1111\n\nOver after 1 minute: all is well';
  const { text, alarms } = alarmMessage('id', at, [alarm('raised', { message, shop: 'Ber\r\nlin' })], 1);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).not.toContain('4111 1111 1111 1111');
  expect(JSON.stringify(alarms)).not.toContain('4111 1111 1111 1111');
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [3_600_000, '1 hour'],
  [2 * 3_600_000 + 300_000, '2 hours 5 minutes'],
  [26 * 3_600_000 + 300_000, '1 day 2 hours'],
  [24 * 3_600_000 + 300_000, '1 day'],
  [-5_000, 'less than a minute'],
])('%i ms are %s', (durationMs, expected) => {
  expect(durationText(durationMs)).toBe(expected);
});
