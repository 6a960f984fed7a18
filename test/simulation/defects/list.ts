import type { TillKind } from '../plan.ts';

/**
 * Deliberate defects: each makes the bridge break one promise, in a copy of the source. The simulation has to find every
 * one of them, or its checker is an ornament. `find` is a spot that has to be there exactly once.
 */
export interface Defect {
  name: string;
  /** What is played; ZVT where left out. */
  protocol?: string;
  /** Who sells: where the defect is one of the till's client. */
  till?: TillKind;
  /** Of a rare defect: the simulation whose first runs have what it needs; otherwise the one that is asked for. */
  seed?: number;
  /** What the bridge, or the till's client, then does. */
  does: string;
  edits: { file: string; find: string; replace: string }[];
}

const payments = 'src/bridge/payments';
const zvt = 'src/bridge/terminals/zvt';
const pos = 'src/pos';

export const defects: readonly Defect[] = [
  {
    name: 'send before journal',
    does: 'gives the sale to the terminal, and writes it down a moment later',
    edits: [
      {
        file: `${payments}/operation-runner.ts`,
        find: '      writer.begin(operation);\n',
        replace: '      clock.after(8, () => writer.begin(operation));\n',
      },
    ],
  },
  {
    name: 'acknowledge before journal',
    does: 'acknowledges a result although it could not be written',
    edits: [
      {
        file: `${zvt}/sequence.ts`,
        find: '    if (!order.watch.persistResult(record)) {\n',
        replace: '    if (!order.watch.persistResult(record) && encoding === undefined) {\n',
      },
    ],
  },
  {
    name: 'silence is a failure',
    does: 'calls a payment declined when the terminal says nothing more',
    edits: [
      {
        file: `${zvt}/operation.ts`,
        find: "          return sequence.unknown('The terminal fell silent.');\n",
        replace: "          return notStarted(true, 'The terminal fell silent.', null);\n",
      },
    ],
  },
  {
    name: 'a lost line is a failure',
    does: 'calls a payment declined when the line is lost',
    edits: [
      {
        file: `${zvt}/operation.ts`,
        find: '    return sequence.unknown(`The line to the terminal was lost: ${reason}`);\n',
        replace: '    return notStarted(true, `The line to the terminal was lost: ${reason}`, null);\n',
      },
    ],
  },
  {
    name: 'blind repeat',
    does: 'sends a sale again whose end is not known',
    edits: [
      {
        file: `${payments}/operation-runner.ts`,
        find: '      answer = await order(driver, watchOf(operation));\n',
        replace:
          '      answer = await order(driver, watchOf(operation));\n' +
          "      if (answer.kind === 'unknown') answer = await order(driver, watchOf(operation));\n",
      },
    ],
  },
  {
    name: 'lost lock',
    does: 'uses the terminal although another bridge has it',
    edits: [
      {
        file: `${payments}/terminal-runner.ts`,
        find: "    if (answer.kind !== 'held') {\n",
        replace:
          "    if (answer.kind === 'taken') Object.assign(answer, { release() {} });\n    else if (answer.kind !== 'held') {\n",
      },
    ],
  },
  {
    name: 'no record is proof',
    does: 'calls a payment failed because the terminal shows no record, against its own result',
    edits: [
      {
        file: `${zvt}/reconcile-rules.ts`,
        find: "  if (parts.lastRecord.kind === 'empty' && !parts.showsRecords) return needsDecision(neverShown);\n",
        replace: '',
      },
      {
        file: `${zvt}/reconcile-rules.ts`,
        find: 'function unchanged(parts: Parts, what: string): ReconciliationResult {\n  if (parts.result?.approved === true) {\n',
        replace:
          "function unchanged(parts: Parts, what: string): ReconciliationResult {\n  if (parts.result?.approved === true && parts.lastRecord.kind !== 'empty') {\n",
      },
    ],
  },
  {
    name: 'baseline beats a delivered acknowledgement',
    does: 'calls a payment failed because the terminal shows the record from before, against its own final result',
    edits: [
      {
        file: `${zvt}/reconcile-rules.ts`,
        find: 'function unchanged(parts: Parts, what: string): ReconciliationResult {\n  if (parts.result?.approved === true) {\n',
        replace:
          "function unchanged(parts: Parts, what: string): ReconciliationResult {\n  if (parts.result?.approved === true && what === '') {\n",
      },
    ],
  },
  {
    name: 'late result refused',
    seed: 890,
    does: 'refuses a late result that says what was decided, so that the terminal undoes it',
    edits: [
      {
        file: `${payments}/late-results.ts`,
        find: '    if (accepted) return append(received);\n',
        replace: '    if (accepted) return false;\n',
      },
    ],
  },
  {
    name: 'late result refused in silence',
    seed: 1253,
    does: 'refuses a late result that contradicts what was decided, and tells nobody',
    edits: [
      {
        file: `${payments}/late-results.ts`,
        find: '    append(received, asJournalEvent(findingOfLateResult(ended, record, undoes), parts.uuid));\n',
        replace: '    append(received);\n',
      },
    ],
  },
  {
    name: 'admission unseen',
    does: 'does not know of a payment that is being admitted',
    edits: [
      {
        file: `${payments}/commands/waiters-and-admissions.ts`,
        find: '    of: (reference) => table.get(reference)?.admission ?? null,\n',
        replace: '    of: () => null,\n',
      },
    ],
  },
  {
    name: 'discrepancy dropped',
    does: 'tells nobody of what a poll of the terminal brings to light',
    edits: [
      {
        file: `${payments}/note-record.ts`,
        find: '      events.push(...findings.map((finding) => asJournalEvent(finding, parts.uuid)));\n',
        replace: '      void findings.map((finding) => asJournalEvent(finding, parts.uuid));\n',
      },
    ],
  },
  {
    name: 'wrong void believed',
    does: 'takes any reversal for the one that it asked for',
    edits: [
      {
        file: `${zvt}/result-validation.ts`,
        find: 'export function validateVoidResult(order: VoidOrder): ResultValidator {\n  return (record, message) => {\n',
        replace:
          'export function validateVoidResult(order: VoidOrder): ResultValidator {\n  return (record, message) => {\n    if (record.approved) return null;\n',
      },
      {
        file: `${zvt}/void-answer.ts`,
        find: "  if (end.answer.kind !== 'done' || namesPayment(parts.order, end.answer.record)) return end.answer;\n",
        replace: '  if (namesPayment !== undefined) return end.answer;\n',
      },
    ],
  },
  {
    name: 'counts not wrapped',
    does: 'compares counts of one byte with whole ones',
    edits: [
      {
        file: `${payments}/batch.ts`,
        find: 'const countsWrapAt = 256;\n',
        replace: 'const countsWrapAt = 1_000_000;\n',
      },
    ],
  },
  {
    name: 'totals not compared',
    does: 'settles whatever it had, and calls every batch reconciled',
    edits: [
      {
        file: `${payments}/batch.ts`,
        find: '  const differing = groups.filter(({ ours, terminal }) => !agree(terminal, ours));\n',
        replace:
          '  const differing = groups.filter(({ ours, terminal }) => !agree(terminal, ours) && false);\n',
      },
    ],
  },
  {
    name: 'decided while the terminal works',
    does: 'lets a person decide what the terminal is still at work on',
    edits: [
      {
        file: `${payments}/manual-decisions.ts`,
        find: '      if (!terminalUnreachable && !seenIdle(journal.eventsOf(operationId))) {\n',
        replace:
          '      if (!terminalUnreachable && !seenIdle(journal.eventsOf(operationId)) && by === "") {\n',
      },
    ],
  },
  {
    name: 'a refusal is tied to the next record',
    does: 'takes a payment by hand for the payment that the terminal had refused',
    edits: [
      {
        file: `${zvt}/reconcile-rules.ts`,
        find:
          '  if (result?.approved === false) return needsDecision(refusedBefore);\n' +
          "  if (stored !== 'same' && !hasMarkOfPayment(record))",
        replace: "  if (stored !== 'same' && !hasMarkOfPayment(record))",
      },
    ],
  },
  {
    name: 'expired request carried out',
    does: 'starts a payment for somebody who has gone, or who asked long ago',
    edits: [
      {
        file: `${payments}/operation-runner.ts`,
        find: '    if (!old && !caller.gone()) return null;\n',
        replace: '    if (!old || caller !== null) return null;\n',
      },
    ],
  },
  {
    name: 'tips taken silently',
    does: 'accepts any higher amount than was asked, and tells nobody',
    edits: [
      {
        file: `${zvt}/result-validation.ts`,
        find: '    if (amountMinor <= order.maxAmountMinor) return null;\n',
        replace: '    if (amountMinor >= order.amountMinor) return null;\n',
      },
      {
        file: `${payments}/discrepancies.ts`,
        find: '  if (charged >= amountMinor && charged <= maxAmountMinor) return [];\n',
        replace: '  if (charged >= amountMinor || charged <= maxAmountMinor) return [];\n',
      },
    ],
  },
  {
    name: 'journal not synced',
    does: 'tells SQLite not to wait for the disk',
    edits: [
      {
        file: 'src/bridge/journal/schema.ts',
        find: "    database.exec('PRAGMA synchronous = FULL');\n",
        replace: "    database.exec('PRAGMA synchronous = NORMAL');\n",
      },
    ],
  },
  {
    name: 'a gap is next',
    does: 'takes whatever record it finds for the one that follows',
    edits: [
      {
        file: `${zvt}/record-order.ts`,
        find: 'export function isNextRecord(previous: TerminalRecord, current: TerminalRecord, between = 0): boolean {\n',
        replace:
          'export function isNextRecord(previous: TerminalRecord, current: TerminalRecord, between = 0): boolean {\n' +
          '  if (current.traceNumber !== null && previous.traceNumber !== null) return true;\n',
      },
    ],
  },
  {
    name: 'a cancel is believed at once',
    does: 'says that a payment is stopped before the terminal has confirmed it',
    edits: [
      {
        file: `${payments}/commands/cancel.ts`,
        find: "    case 'failed':\n      return { ok: true, value: { payment } };\n    case 'in_progress':\n    case 'unknown':\n",
        replace:
          "    case 'failed':\n    case 'in_progress':\n    case 'unknown':\n      return { ok: true, value: { payment } };\n    default:\n",
      },
    ],
  },
  {
    name: 'nothing is held back',
    does: 'charges an amount that the terminal shows as paid already',
    edits: [
      {
        file: `${payments}/commands/sale.ts`,
        find: "  if (hold !== null) return { kind: 'refuse', refused: refuseAsMaybePaid(hold) };\n",
        replace: "  if (hold === undefined) return { kind: 'refuse', refused: refuseAsMaybePaid(hold) };\n",
      },
    ],
  },
  {
    name: 'every failure is not_started',
    does: 'says of every failure that no money moved',
    edits: [
      {
        file: `${payments}/money-state.ts`,
        find: "  return harmless.includes(payment.status) ? 'not_started' : 'unknown';\n",
        replace: "  return harmless.includes(payment.status) ? 'not_started' : 'not_started';\n",
      },
    ],
  },
  {
    name: 'a refusal is tried once more',
    does: 'gives a sale that was declined to the terminal a second time',
    edits: [
      {
        file: `${payments}/operation-runner.ts`,
        find: '      answer = await order(driver, watchOf(operation));\n',
        replace:
          '      answer = await order(driver, watchOf(operation));\n' +
          "      if (answer.kind === 'declined') answer = await order(driver, watchOf(operation));\n",
      },
    ],
  },
  {
    name: 'a payment is told as a reversal',
    does: 'tells of a payment by hand as if it had been a reversal',
    edits: [
      {
        file: `${payments}/poll-discrepancies.ts`,
        find: "        kind: 'unexplained_payment',\n",
        replace: "        kind: 'unexplained_reversal',\n",
      },
    ],
  },
  {
    name: 'a loss holds nothing back',
    does: 'takes payments although the journal has lost events, and nobody has looked at it',
    edits: [
      {
        file: 'src/contract/discrepancy.ts',
        find: "  journal_loss: 'sales',\n",
        replace: "  journal_loss: 'nothing',\n",
      },
    ],
  },
  {
    name: 'a loss is not told',
    does: 'repairs a journal and says nothing of the events that are lost',
    edits: [
      {
        file: 'src/bridge/journal/repair.ts',
        find: '    if (loss !== null) keep({ at, event: lossFound(loss, uuid()) });\n',
        replace: '    if (loss === "") keep({ at, event: lossFound(loss, uuid()) });\n',
      },
    ],
  },
  {
    name: 'a reversal on its way is not_started',
    does: 'says of each VoidPayment that fails that nothing was reversed',
    edits: [
      {
        file: `${payments}/money-state.ts`,
        find: "  return harmless.includes(payment.status) ? 'not_started' : 'unknown';\n",
        replace:
          "  return command === 'VoidPayment' || harmless.includes(payment.status) ? 'not_started' : 'unknown';\n",
      },
    ],
  },
  {
    name: 'a close on its way is not_started',
    does: 'says of each SubmitBatch that fails that nothing was closed',
    edits: [
      {
        file: `${payments}/money-state.ts`,
        find: "    return journal.openOperations().some(({ kind }) => kind === 'batch_close') ? 'unknown' : 'not_started';\n",
        replace: "    return command === 'SubmitBatch' ? 'not_started' : 'unknown';\n",
      },
    ],
  },
  {
    name: 'a batch is told as reconciled',
    does: 'says of each batch that it is reconciled, whatever the journal says',
    edits: [
      {
        file: 'src/bridge/listener/payment-bodies.ts',
        find: '    reconciled: batch.reconciled,\n',
        replace: '    reconciled: batch.reconciled || batch.totalMinor !== null,\n',
      },
    ],
  },
  {
    name: 'a difference untold',
    does: 'calls a batch not reconciled, and tells nobody what differs',
    edits: [
      {
        file: `${payments}/discrepancies.ts`,
        find: '  if (unexplained.length === 0 && inQuestion.length === 0) return [];\n',
        replace: '  if (unexplained.length === 0 || inQuestion.length >= 0) return [];\n',
      },
    ],
  },
  {
    name: 'an open day is nothing to settle',
    does: 'closes no day, and says that there is nothing to settle',
    edits: [
      {
        file: `${payments}/commands/batch-close.ts`,
        find: '  if (payments.length === 0 && holdsNothing(journal)) {\n',
        replace: '  if (payments.length <= 3 || holdsNothing(journal)) {\n',
      },
    ],
  },
  {
    name: 'no number is no news',
    does: 'says nothing of a record that it cannot place because it has no number',
    edits: [
      {
        file: `${payments}/record-continuity.ts`,
        find: "    if (continuity === 'unknown') return unplaced(state.lastRecord, lastRecord);\n",
        replace: "    if (continuity === 'unknown') return 'same';\n",
      },
    ],
  },
  {
    name: 'Transbank: a lost void did not happen',
    protocol: 'transbank',
    does: 'calls a void failed of which the terminal cannot tell',
    edits: [
      {
        file: 'src/bridge/terminals/transbank/look-up.ts',
        find: "      case 'void':\n        return unavailable(\n",
        replace:
          "      case 'void':\n        if (unsettled !== null) return { kind: 'empty' };\n        return unavailable(\n",
      },
    ],
  },
  {
    name: 'ECR-EDC: what cannot be asked did not happen',
    protocol: 'ecr-edc',
    does: 'calls a payment failed that a terminal without an inquiry cannot tell of',
    edits: [
      {
        file: 'src/bridge/terminals/ecr-edc/driver.ts',
        find: '        return unavailable(lastInvoice === null ? noQuery : noQueryButInvoice(lastInvoice));\n',
        replace:
          "        return noQueryButInvoice(noQuery) === '' ? unavailable(lastInvoice ?? '') : { kind: 'empty' };\n",
      },
    ],
  },
  {
    name: 'ECR17: a lost answer is a no',
    protocol: 'ecr17',
    does: 'calls a payment failed when its result is lost',
    edits: [
      {
        file: 'src/bridge/terminals/ecr17/driver.ts',
        find: "    case 'unknown':\n      return { answer: end };\n",
        replace: "    case 'unknown':\n      return { answer: notSent(end.reason) };\n",
      },
    ],
  },
  {
    name: 'KPay: a lost answer is a no',
    protocol: 'kpay',
    does: 'calls a payment failed when the answer to the sale is lost',
    edits: [
      {
        file: 'src/bridge/terminals/kpay/transactions.ts',
        find: "  if (outcome.kind === 'not_sent')\n",
        replace: "  if (outcome.kind !== 'answered')\n",
      },
    ],
  },
  {
    name: 'KPay: a code of time run out is an end',
    protocol: 'kpay',
    does: 'calls a payment cancelled whose time has run out, though a customer who has scanned its code may still pay',
    edits: [
      {
        file: 'src/bridge/terminals/kpay/track.ts',
        find: '    const mayStillPay = payMethod === null || !isCardMethod(payMethod);\n',
        replace:
          '    const mayStillPay = payMethod !== null && payMethod === 0 && isCardMethod(payMethod);\n',
      },
    ],
  },
  {
    name: 'KPay: a returned payment is settled',
    protocol: 'kpay',
    does: 'calls a payment settled of which the terminal has just said that it was returned',
    edits: [
      {
        file: 'src/bridge/terminals/kpay/before-settlement.ts',
        find: "  if (undoneStates.has(state)) return { kind: 'undone', record: undoneRecord(held) };\n",
        replace: "  if (undoneStates.has(state)) return { kind: 'stands' };\n",
      },
    ],
  },
  {
    name: 'client: a new reference after silence',
    till: 'client',
    does: 'asks for the payment under another reference when it got no answer',
    edits: [
      {
        file: `${pos}/payment.ts`,
        find: '      tell(run, proof);\n',
        replace:
          "      if (run.last.kind === 'none' && wish !== null) query.retrieval_reference_number = `${reference}-2`;\n" +
          '      tell(run, proof);\n',
      },
    ],
  },
  {
    name: 'client: approved is taken for granted',
    till: 'client',
    does: 'calls a payment approved that it knows, and that was not decided in time',
    edits: [
      {
        file: `${pos}/payment.ts`,
        find: "    if (proof.kind !== 'decided') {\n",
        replace:
          "    if (proof.kind === 'unclear' && run.payment !== null)\n" +
          "      return { ...ended, outcome: 'approved', approvedAmount: wish?.amount ?? '',\n" +
          "        payment: { ...run.payment, transaction_status: 'approved' } as Payment };\n" +
          "    if (proof.kind !== 'decided') {\n",
      },
    ],
  },
  {
    name: 'client: every failure is a refusal',
    till: 'client',
    does: 'calls a payment not started after any failure, whatever it says of the money',
    edits: [
      {
        file: `${pos}/knowledge.ts`,
        find: '  const isAbsent = isCreate ? notStarted :',
        replace: '  const isAbsent = isCreate ? notStarted || !notStarted :',
      },
    ],
  },
  {
    name: 'client: no answer is a refusal',
    till: 'client',
    does: 'calls a payment not started that it got no answer about',
    edits: [
      {
        file: `${pos}/knowledge.ts`,
        find: "  if (answer.kind !== 'failure') return { kind: 'nothing' };\n",
        replace:
          "  if (answer.kind === 'none' && isCreate)\n" +
          "    return { kind: 'absent', code: 'terminal_unavailable', message: answer.message, issues: [] };\n" +
          "  if (answer.kind !== 'failure') return { kind: 'nothing' };\n",
      },
    ],
  },
];
