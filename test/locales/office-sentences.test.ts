/** The head office's own sentences in other languages: each that its page can show has its own, or somebody notices. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bridgeSentence } from '../../src/locales/index.ts';
import * as alarms from '../../src/office/alarms/condition-messages.ts';
import type { AlarmRule } from '../../src/office/alarms/settings.ts';
import * as findings from '../../src/office/finding-messages.ts';
import type { FindingKind } from '../../src/office/findings.ts';
import { gap, textsOfFile } from './source-texts.ts';

const german = (sentence: string) => bridgeSentence(sentence, 'de');
/** Words that each English sentence has one of, and no German one. */
const english = /\b(?:the|it|its|of|and|not|event|payments|batch|money|answered)\b/i;
const unsaid = (sentences: readonly string[]) =>
  sentences.filter((sentence) => english.test(german(sentence) ?? 'the'));

const said: Record<FindingKind, string[]> = {
  chain_broken: [findings.unreadableEvent(7), findings.missingEvent(7, 9), findings.changedEvent(7)],
  journal_behind: [findings.journalBehind(12, 3)],
  journal_branched: [findings.journalBranched(12, 3, true), findings.journalBranched(12, 3, false)],
  two_places: [findings.twoPlaces(12)],
  operations_lost: [
    findings.operationsLost(['R-1']),
    findings.operationsLost(['A', 'B', 'C', 'D', 'E', 'F']),
    findings.operationsLost(['R-1', 'R-2']),
  ],
  discrepancy_lost: [findings.discrepancyLost('The terminal does not answer.')],
  other_bridge: [findings.otherBridge(12)],
  payments_elsewhere: [findings.paymentsElsewhere(12, 1), findings.paymentsElsewhere(12, 40)],
  not_understood: [
    findings.notUnderstood(12, 'sale_of_tomorrow', 0),
    findings.notUnderstood(12, 'sale_of_tomorrow', 4),
  ],
  newer_bridge: [
    findings.newerBridge(12, ['a_new_kind']),
    findings.newerBridge(12, ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
  ],
};
const everyFinding = Object.values(said).flat();

const reasons = ['', 'The terminal does not answer.'];
const operations = ['sale', 'void', 'batch_close', 'tomorrow'].flatMap((kind) =>
  [
    { reference: 'R-1', amount_minor: 12_50, currency: 'EUR' },
    { reference: 'R 1 (b)', amount_minor: 12_50, currency: 'XTS' },
    { reference: null, amount_minor: 12_50, currency: 'EUR' },
    { reference: null, amount_minor: null, currency: null },
  ]
    // A batch is closed without a reference, and nothing else is.
    .filter(({ reference }) => kind === 'tomorrow' || (reference === null) === (kind === 'batch_close'))
    .map((rest) => ({ kind, ...rest })),
);
const deposits = [
  { state: 'unclear', reason: 'account-not-known' },
  { state: 'unclear', reason: 'clock-wrong' },
  { state: 'unclear', reason: 'unexplained-entries' },
  { state: 'late', reason: null },
  { state: 'short', reason: null },
].flatMap((found) =>
  [null, '000042'].flatMap((batch_number) =>
    [null, '2026-11-05'].flatMap((due_by) =>
      [null, 1_234_50].map((expected_minor) => ({
        ...found,
        batch_number,
        due_by,
        expected_minor,
        arrived_minor: 1_000_00,
        closed_on: '2026-11-03',
        acquirer: 'Acme',
        currency: 'EUR',
      })),
    ),
  ),
);
const ofAlarms: Record<AlarmRule['watch'], string[]> = {
  doubt: operations.flatMap((operation) =>
    reasons.map((reason) => alarms.operationInDoubt({ ...operation, reason })),
  ),
  silent: [alarms.silentBridge('till-1 (left)', true), alarms.silentBridge('till-1', false)],
  discrepancy: reasons.map((reason) => alarms.openDiscrepancy(reason)),
  journal: [
    ...reasons.map((reason) => alarms.unwritableJournal(reason)),
    ...Object.entries(said).flatMap(([kind, messages]) =>
      ['', ...messages].map((message) => alarms.openFinding(kind, message)),
    ),
  ],
  journal_lag: [alarms.laggingJournal(12)],
  deposit: deposits.map((deposit) => alarms.missingDeposit(deposit)),
};

/** What a source says in a place of its own, and not by a function that can be asked. */
function sentencesIn(file: string): string[] {
  return textsOfFile(path.join(import.meta.dirname, '../../src', file))
    .filter((text) => /^(?:[A-Z]|… [a-z]).* .*\.$/s.test(text))
    .map((text) => text.replaceAll(gap, '7'));
}

describe('the head office in German', () => {
  test.each(Object.entries(said))('has each sentence of the finding %s', (_kind, sentences) => {
    expect(unsaid(sentences), 'src/locales/bridge/de.json lacks these').toEqual([]);
  });

  test.each(Object.entries(ofAlarms))('has each sentence of the alarm %s', (_watch, sentences) => {
    expect(unsaid(sentences), 'src/locales/bridge/de.json lacks these').toEqual([]);
  });

  test('keeps what changes in them', () => {
    expect(german(findings.newerBridge(12, ['a', 'b', 'c', 'd', 'e', 'f', 'g']))).toContain(
      'noch nicht kennt: a, b, c, d, e und 2 weitere. Alles',
    );
    expect(german(findings.journalBehind(12, 3))).toMatch(
      /endet mit Ereignis 12, und die Zentrale hat 3 weitere/,
    );
    expect(
      german(
        alarms.operationInDoubt({
          kind: 'sale',
          reference: 'A-1001',
          amount_minor: 12_50,
          currency: 'EUR',
          reason: 'The terminal does not answer.',
        }),
      ),
    ).toBe('Die Zahlung A-1001 (12,50 EUR) ist ungeklärt: Das Terminal antwortet nicht.');
    expect(german(String(ofAlarms.deposit.at(-1)))).toBe(
      'Vom Geld für den Kassenschnitt 000042 vom 2026-11-03 (1.234,50 EUR von Acme) sind nur 1.000,00 EUR da; fällig war es bis 2026-11-05.',
    );
  });

  test('has what it answers to statements, and why nothing can be looked for', () => {
    const sentences = [
      'office/deposits/deposits.ts',
      'office/deposits/settle.ts',
      'office/deposits/statements.ts',
      'reconcile/input.ts',
    ].flatMap(sentencesIn);
    expect(sentences.length).toBeGreaterThan(12);
    const composed =
      'a.xml and b.xml contradict each other on 2026-11-03, account DE89. ' +
      'Download the statement from the bank again, keep that one and remove the other.';
    const advice = (sentence: string) =>
      sentence.startsWith('It was not kept') ? `${composed} ${sentence}` : sentence;
    expect(
      sentences.map(advice).filter((sentence) => german(sentence) === null),
      'src/locales/bridge/de.json lacks these',
    ).toEqual([]);
    expect(german('Today has "x", which is no date.')).toBe('Heute: „x“ ist kein Datum.');
    expect(german('What is known of account DE89 has "x", which is no date.')).toMatch(/^Was vom Konto DE89/);
  });

  test('has what became of a message', () => {
    const sentences = [
      ...['office/alarms/send.ts', 'base/fetch-once.ts'].flatMap(sentencesIn),
      'No process of the office knows this receiver.',
      'It answered 250 queued',
      'It answered 250 queued, but not for owner@chain.example',
      'It answered 500: busy',
    ];
    expect(sentences.length).toBeGreaterThan(7);
    expect(unsaid(sentences), 'src/locales/bridge/de.json lacks these').toEqual([]);
  });

  test('knows each sentence of the findings and the alarms by a function above', () => {
    // A sentence that stands elsewhere would be tried by nobody.
    const elsewhere = [
      'ingest/ingest.ts',
      'ingest/read-batch.ts',
      'ingest/tell-of-taken.ts',
      'alarms/conditions.ts',
      'alarms/deposit-conditions.ts',
    ]
      .flatMap((file) => sentencesIn(`office/${file}`))
      .filter((sentence) => sentence !== 'The first line is no head of a batch.');
    expect(elsewhere).toEqual([]);
    expect(everyFinding.length).toBeGreaterThan(12);
  });
});
