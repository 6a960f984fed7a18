/** What each check of the program itself and of the computer around it finds. */
import type { DiagnosisFinding } from '../../contract/console/index.ts';
import type { Facts } from './facts.ts';
import { found } from './found.ts';

/** A journal grows by some kilobytes a payment; the log is bounded. */
const fullBytes = 50 * 1024 * 1024;
const lowBytes = 500 * 1024 * 1024;
/** A terminal's clock may be wrong by so much before anybody is told. */
const clockToleranceMs = 5 * 60_000;
const dayMs = 86_400_000;

export function programFindings({ state, settingsWarnings }: Facts): DiagnosisFinding[] {
  const { bridge } = state;
  const settings =
    settingsWarnings.length === 0
      ? found('settings_used')
      : found('settings_left_out', { said: settingsWarnings.join(' ') });
  const running =
    bridge.kind === 'failed' ? found('bridge_failed', { said: bridge.text }) : found(ofBridge[bridge.kind]);
  return [running, settings, moneyFinding(state)];
}

const ofBridge = {
  running: 'bridge_runs',
  starting: 'bridge_starting',
  stopped: 'bridge_stopped',
  first_start: 'bridge_first_start',
} as const;

function moneyFinding(state: Facts['state']): DiagnosisFinding {
  const { terminal, doubts, salesHeld, heldElsewhere, discrepancyCount } = state;
  if (terminal === null) return found('money_unknown');
  if (doubts.length > 0) return found('money_in_doubt', { values: { count: doubts.length } });
  if (salesHeld) return found('money_held');
  if (heldElsewhere !== null) return found('money_held_elsewhere', { values: { terminal: heldElsewhere } });
  if (discrepancyCount > 0) return found('money_discrepancy', { values: { count: discrepancyCount } });
  return found('money_clear');
}

export function computerFindings(facts: Facts): DiagnosisFinding[] {
  return [journalFinding(facts), diskFinding(facts), clockFinding(facts), ...officeFindings(facts)];
}

function journalFinding({ state: { bridge, journal }, journalFile }: Facts): DiagnosisFinding {
  if (bridge.kind !== 'running') return found('journal_later');
  if (journal.damaged) return found('journal_damaged', { said: journal.text });
  if (!journal.writable) return found('journal_not_written', { said: journal.text });
  if (journalFile === null) return found('journal_written');
  const { bytes, events, checkedMs } = journalFile;
  return found('journal_written', {
    values: { size: bytes, events },
    at: new Date(checkedMs).toISOString(),
  });
}

function diskFinding({ freeBytes, mayWriteData, dataDir }: Facts): DiagnosisFinding {
  const values = { folder: dataDir, free: freeBytes ?? 0 };
  if (mayWriteData === false) return found('disk_read_only', { values });
  if (freeBytes === null) return found('disk_unknown', { values });
  if (freeBytes < fullBytes) return found('disk_full', { values });
  return found(freeBytes < lowBytes ? 'disk_low' : 'disk_free', { values });
}

function clockFinding({ terminalClock }: Facts): DiagnosisFinding {
  const differenceMs = terminalClock === null ? null : clockDifferenceMs(terminalClock);
  if (differenceMs === null) return found('clock_unknown');
  if (Math.abs(differenceMs) <= clockToleranceMs) return found('clock_agrees');
  return found('clock_differs', { values: { minutes: Math.round(Math.abs(differenceMs) / 60_000) } });
}

function officeFindings({ office }: Facts): DiagnosisFinding[] {
  if (office === null) return [];
  if (office.troubles.length > 0) return [found('office_trouble', { said: office.troubles.join(' ') })];
  const lacking = office.journals.reduce(
    (sum, { events, sent }) => sum + Math.max(0, (events ?? 0) - (sent ?? 0)),
    0,
  );
  return [lacking === 0 ? found('office_has_all') : found('office_sending', { values: { count: lacking } })];
}

/**
 * How far the terminal's clock is outside of the time in which its payment was under way, in milliseconds; null when its
 * digits are no time. It tells no year and no zone: both are taken to be the computer's own.
 */
function clockDifferenceMs(clock: NonNullable<Facts['terminalClock']>): number | null {
  const [, month, day] = /^(\d\d)(\d\d)$/.exec(clock.date) ?? [];
  const [, hour, minute, second] = /^(\d\d)(\d\d)(\d\d)$/.exec(clock.time) ?? [];
  if (month === undefined || hour === undefined) return null;
  const at = new Date(clock.untilMs);
  at.setMonth(Number(month) - 1, Number(day));
  at.setHours(Number(hour), Number(minute), Number(second), 0);
  // Around New Year the two may be in different years.
  const candidates = [-1, 0, 1].map((years) => {
    const candidate = new Date(at);
    candidate.setFullYear(at.getFullYear() + years);
    return candidate.getTime();
  });
  const away = candidates.map((ms) =>
    ms < clock.fromMs ? ms - clock.fromMs : ms > clock.untilMs ? ms - clock.untilMs : 0,
  );
  const nearest = away.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0] ?? 0;
  // A record of long ago, from before the journal: nothing to compare.
  return Math.abs(nearest) > 400 * dayMs ? null : nearest;
}
