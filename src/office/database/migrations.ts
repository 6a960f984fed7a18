/**
 * How an older database becomes a newer one: entry n makes version n + 1 of version n. An entry is never changed once it
 * was released, and only adds: processes of an older version go on with the newer database.
 */
import { alarmRules } from './migrations/alarm-rules.ts';
import { alarmTables } from './migrations/alarms.ts';
import { depositTables } from './migrations/deposits.ts';
import { findingsOfChains } from './migrations/findings.ts';
import { journalLags } from './migrations/journal-lags.ts';
import { journalTables } from './migrations/journals.ts';
import { openDiscrepancies } from './migrations/open-discrepancies.ts';
import { operationsTables } from './migrations/operations.ts';
import { overdueDeposits } from './migrations/overdue-deposits.ts';
import { peopleTables } from './migrations/people.ts';
import { presentChains } from './migrations/present-chains.ts';
import { questionIndexes } from './migrations/question-indexes.ts';
import { receivedAt } from './migrations/received-at.ts';
import { settlementTables } from './migrations/settlements.ts';
import { wrongClocks } from './migrations/wrong-clocks.ts';

export const migrations: readonly string[] = [
  journalTables,
  peopleTables,
  alarmTables,
  questionIndexes,
  operationsTables,
  depositTables,
  settlementTables,
  findingsOfChains,
  journalLags,
  presentChains,
  openDiscrepancies,
  overdueDeposits,
  wrongClocks,
  alarmRules,
  receivedAt,
];
