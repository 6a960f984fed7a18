/** What a receiver gets: counts first, then one line for each alarm, and how many more there are. */
import { printableLine } from '../../base/printable-text.ts';
import type { AlarmView } from '../../contract/office-alarms.ts';
import { maskCardNumbers } from '../../log/index.ts';

export type AlarmNews = 'raised' | 'raised_again' | 'cleared';

export interface AlarmOfMessage extends Pick<
  AlarmView,
  | 'alarm_id'
  | 'rule'
  | 'watch'
  | 'shop'
  | 'terminal'
  | 'simulated'
  | 'message'
  | 'since'
  | 'raised_at'
  | 'times'
> {
  cleared_at: string | null;
  /** Why it stands no more: 'over', or 'not_watched' where its rule is gone. */
  ended: string | null;
}

export interface AlarmMessage {
  /** The same in each attempt to send it: whoever keeps it tells nobody twice. */
  id: string;
  kind: 'alarms' | 'test';
  at: string;
  counts: Record<AlarmNews, number>;
  /** How many alarms stand for this receiver now. */
  standing: number;
  alarms: (AlarmOfMessage & { news: AlarmNews })[];
  /** How many more there are than `alarms` has. */
  more: number;
  subject: string;
  /** All of it for people. */
  text: string;
}

export const maxAlarmsInMessage = 20;
const order: readonly AlarmNews[] = ['raised', 'raised_again', 'cleared'];

export function alarmMessage(
  id: string,
  at: string,
  alarms: readonly (AlarmOfMessage & { news: AlarmNews })[],
  standing: number,
): AlarmMessage {
  const sorted = order.flatMap((news) =>
    alarms
      .filter((alarm) => alarm.news === news)
      .toSorted((one, other) => one.since.localeCompare(other.since)),
  );
  const count = (news: AlarmNews) => alarms.filter((alarm) => alarm.news === news).length;
  const counts = { raised: count('raised'), raised_again: count('raised_again'), cleared: count('cleared') };
  const shown = sorted.slice(0, maxAlarmsInMessage).map((alarm) => ({
    ...alarm,
    shop: clean(alarm.shop),
    message: clean(alarm.message),
  }));
  const more = sorted.length - shown.length;
  const summary = summaryOf(counts);
  const lines = [
    `${summary}. ${standing === 0 ? 'All clear: no alarm stands now' : `${alarmCount(standing)} ${standing === 1 ? 'stands' : 'stand'} now`}.`,
    '',
    ...shown.map(lineOf),
    ...(more === 0 ? [] : [`And ${more} more.`]),
  ];
  const subject = `Tillbridge: ${standing === 0 ? 'all clear, ' : ''}${summary}${ofShop(shown, more)}`;
  return { id, kind: 'alarms', at, counts, standing, alarms: shown, more, subject, text: lines.join('\n') };
}

export function testMessage(id: string, at: string): AlarmMessage {
  return {
    id,
    kind: 'test',
    at,
    counts: { raised: 0, raised_again: 0, cleared: 0 },
    standing: 0,
    alarms: [],
    more: 0,
    subject: 'Tillbridge: a test',
    text: 'This is a test of the head office. No alarm is meant, and there is nothing to do.',
  };
}

function summaryOf({ raised, raised_again, cleared }: AlarmMessage['counts']): string {
  const parts = [
    ...(raised === 0 ? [] : [`${raised} new`]),
    ...(raised_again === 0 ? [] : [`${raised_again} again`]),
    ...(cleared === 0 ? [] : [`${cleared} over`]),
  ];
  return parts.join(', ');
}

function alarmCount(count: number): string {
  return count === 1 ? '1 alarm' : `${count} alarms`;
}

/** Where all are of one shop, its name. */
function ofShop(shown: readonly AlarmOfMessage[], more: number): string {
  const [first] = shown;
  if (first === undefined || more > 0 || shown.some(({ shop }) => shop !== first.shop)) return '';
  return ` (${first.shop})`;
}

function lineOf(alarm: AlarmOfMessage & { news: AlarmNews }): string {
  const place = `${alarm.shop}${alarm.terminal === null ? '' : ` (${alarm.terminal})`}`;
  const what = `${place}: ${alarm.simulated ? 'simulated: ' : ''}${alarm.message}`;
  switch (alarm.news) {
    case 'raised':
      return `New: ${what} Since ${momentText(alarm.since)}.`;
    case 'raised_again':
      return `Again, for the ${ordinal(alarm.times)} time: ${what} Since ${momentText(alarm.since)}.`;
    case 'cleared': {
      if (alarm.ended === 'not_watched')
        return `No longer watched, because the rule "${alarm.rule}" is gone: ${what}`;
      const lastedMs = Date.parse(alarm.cleared_at ?? alarm.since) - Date.parse(alarm.since);
      return `Over after ${durationText(lastedMs)}: ${what}`;
    }
  }
}

/** Of parts that come from shops: one line each, and no card number in it. */
function clean(text: string): string {
  return printableLine(maskCardNumbers(text));
}

/** "2026-11-03 12:04 UTC": people of several time zones may read it. */
function momentText(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')} UTC`;
}

export function durationText(durationMs: number): string {
  const minutes = Math.floor(durationMs / 60_000);
  const units = [
    [Math.floor(minutes / 1_440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return 'less than a minute';
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}

function ordinal(count: number): string {
  const special = count % 100 >= 11 && count % 100 <= 13;
  const ending = special ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
