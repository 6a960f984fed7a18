/** Recovery on a real journal and with the rules of evidence of ZVT; the test says what the terminal shows. */
import { randomUUID } from 'node:crypto';
import { applyInputs } from '../../../src/bridge/payments/journal-writer.ts';
import { createHistory } from '../../../src/bridge/payments/history.ts';
import { createRecordContinuity } from '../../../src/bridge/payments/record-continuity.ts';
import { createRepeatedFindings } from '../../../src/bridge/payments/repeated-findings.ts';
import { createRecovery } from '../../../src/bridge/payments/recovery.ts';
import { rowsInDoubt } from '../../../src/bridge/payments/manual-decisions.ts';
import { createZvtProtocol } from '../../../src/bridge/terminals/zvt/index.ts';
import type { TerminalProtocol } from '../../../src/bridge/terminals/terminal-driver.ts';
import { silentLog, type Log } from '../../../src/log/log.ts';
import { zvtSettingsSchema } from '../../../src/contract/configuration.ts';
import type { LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { record, sale, terminal } from '../journal/sample-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { dataFolder, tryOpen } from '../journal/folder.ts';

export const unreadable: LastRecord = { kind: 'unavailable', reason: 'the terminal does not show it' };

/** Of 12.00, with this number. */
export function numbered(number: number, more: Partial<TerminalRecord> = {}): TerminalRecord {
  return record({
    resultCode: '00',
    terminalId: terminal.terminalId,
    traceNumber: String(number).padStart(6, '0'),
    receiptNumber: String(number).padStart(4, '0'),
    ...more,
  });
}

export function shown(number: number, more: Partial<TerminalRecord> = {}): LastRecord {
  return { kind: 'record', record: numbered(number, more) };
}

export function setUp(more: Partial<TerminalProtocol> = {}) {
  const clock = createVirtualClock();
  const opened = tryOpen(dataFolder(), clock);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const { journal } = opened;
  const warnings: { message: string; fields: unknown }[] = [];
  const log: Log = {
    ...silentLog,
    warn: (message, fields) => void warnings.push({ message, fields }),
    with: () => log,
  };
  const zvt = createZvtProtocol({
    framing: 'serial',
    settings: zvtSettingsSchema.parse({}),
    currency: 'EUR',
    clock: createVirtualClock(),
    log: silentLog,
  });
  const protocol: TerminalProtocol = { ...zvt, ...more };
  const history = createHistory(journal);
  const recordContinuity = createRecordContinuity(journal, protocol, history);
  const repeats = createRepeatedFindings(journal, clock);
  /** Single facts cannot be written. */
  const failing = { now: false };
  const recovery = createRecovery({
    journal,
    protocol,
    recordContinuity,
    repeats,
    history,
    log,
    apply: (operationId, ...inputs) =>
      applyInputs(journal, operationId, inputs, {
        continuityOf: (current) => recordContinuity.of(current),
        uuid: randomUUID,
      }).ok,
    append: (...facts) => !failing.now && journal.append(...facts).length > 0,
    rowsInDoubt: () => rowsInDoubt(journal, null),
    currency: 'EUR',
    clock: createVirtualClock(),
    uuid: randomUUID,
  });
  /** A sale of 12.00 that began when the terminal showed record 10, and is in doubt. */
  function doubt(terminalReference?: string) {
    recovery.observed(terminal, shown(10), 'anything');
    const number = terminalReference === undefined ? {} : { terminalReference };
    const started = sale({ baseline: shown(10), ...number });
    journal.append(started, {
      type: 'operation_in_doubt',
      operationId: started.operationId,
      reason: 'silence',
    });
    const status = () => journal.payment(started.operationId)?.status;
    const needsDecision = () => journal.operation(started.operationId)?.needsDecision;
    return { started, status, needsDecision };
  }
  return { journal, recovery, repeats, clock, warnings, failing, doubt, recordContinuity };
}
