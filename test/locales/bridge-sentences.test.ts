/** The bridge's own sentences in other languages: each that the core can say has its own, or somebody notices. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as says from '../../src/bridge/payments/discrepancy-messages.ts';
import type { PaymentRow } from '../../src/bridge/journal/index.ts';
import { controlFieldName } from '../../src/bridge/terminals/zvt/wire/apdu.ts';
import { bitFieldKeys, bitFieldTexts } from '../../src/bridge/terminals/zvt/wire/bit-fields.ts';
import { intermediateStatusText } from '../../src/bridge/terminals/zvt/wire/intermediate-status.ts';
import { resultText, statusText } from '../../src/bridge/terminals/zvt/wire/result-codes.ts';
import { fieldNames } from '../../src/bridge/terminals/zvt/wire/trace-fields.ts';
import * as ecr17 from '../../src/bridge/terminals/ecr17/wire/index.ts';
import * as ecrEdc from '../../src/bridge/terminals/ecr-edc/wire/index.ts';
import * as transbank from '../../src/bridge/terminals/transbank/wire/index.ts';
import * as kpay from '../../src/bridge/terminals/kpay/wire/index.ts';
import { operationOutcomeSchema } from '../../src/contract/operation.ts';
import { batch, record, sale, voidOf } from '../bridge/journal/sample-events.ts';
import { bridgeSentence, englishFor } from '../../src/locales/index.ts';
import { gap, textsOfFile } from './source-texts.ts';
import de from '../../src/locales/bridge/de.json' with { type: 'json' };

const core = path.join(import.meta.dirname, '../../src/bridge');

/** Where reasons and states are put into words. */
const sources = [
  'bridge.ts',
  'listener/terminal-table.ts',
  '../host/methods/context.ts',
  '../host/methods/money.ts',
  '../host/office/enrolment.ts',
  '../host/office/heartbeat-of.ts',
  '../host/office/journal-sender.ts',
  '../host/office/office-link.ts',
  '../host/reconcile/decide.ts',
  '../host/reconcile/keep-statement.ts',
  '../host/reconcile/statement-entries.ts',
  '../statements/account-days.ts',
  'payments/operation-machine.ts',
  'payments/operation-runner.ts',
  'payments/late-results.ts',
  'payments/recovery.ts',
  'payments/terminal-machine.ts',
  'payments/terminal-messages.ts',
  'payments/terminal-runner.ts',
  'payments/unavailable.ts',
  'terminals/acked-requests.ts',
  'terminals/own-record.ts',
  '../contract/protocols.ts',
  ...[
    'driver',
    'enquiry',
    'evidence',
    'exchange-context',
    'last-record',
    'operation',
    'readiness',
    'reasons',
    'reconcile-rules',
    'record',
    'registration',
    'result-validation',
    'sequence',
    'void-answer',
    'wire/result-codes',
  ].map((name) => `terminals/zvt/${name}.ts`),
  ...['driver', 'record'].map((name) => `terminals/transbank/${name}.ts`),
  ...['driver', 'orders', 'record', 'wire/responses', 'wire/profiles/usual', 'wire/profiles/kbtg'].map(
    (name) => `terminals/ecr-edc/${name}.ts`,
  ),
  ...['driver', 'enquiries', 'evidence', 'exchange', 'record', 'unchanged-check'].map(
    (name) => `terminals/ecr17/${name}.ts`,
  ),
  ...['client', 'driver', 'look-up', 'record', 'settlement', 'track', 'transactions'].map(
    (name) => `terminals/kpay/${name}.ts`,
  ),
];

/** The log's, and what only a mistake in the program says. */
const isOfLog = new Set([
  'a close handler failed',
  'the reader of a line failed',
  'a connection has one reader',
  'serial port error',
  'no modem lines',
  'it cannot be told which device is at the port',
  'the device of the terminal is at another port',
]);

/** Each goes on in one of the ways that a test below has. */
const beginnings = ['The terminal approved …'];

const sentences = sources.flatMap((file) =>
  textsOfFile(path.join(core, file))
    .filter((text) => /^[A-Z].* /s.test(text))
    .map((text) => [file, text] as const),
);

/** Why a line cannot be used: stands behind a colon. */
const lineReasons = [
  '../base/connect-error',
  'lines/connection-events',
  'lines/memory',
  'lines/remembered-device',
  'lines/serial',
  'lines/serial-connection',
  'lines/tcp',
  'terminals/kpay/client',
  'terminals/kpay/conversation',
  'terminals/kpay/transport',
  '../simulator/endpoints',
  'terminals/ecr17/redialled-line',
].flatMap((name) =>
  textsOfFile(path.join(core, `${name}.ts`)).filter(
    (text) => /^(?:[a-z]|macOS|… [a-z]).* /s.test(text) && !isOfLog.has(text),
  ),
);

/** Why a bank's statement cannot be used: stands behind its name. */
const statementReasons = ['camt053', 'xml'].flatMap((name) =>
  textsOfFile(path.join(core, `../statements/${name}.ts`)).filter((text) => /^(its?|an?|the) .* /.test(text)),
);

/** What the simulator's display shows: the window says it in its own language. Receipts are not shown. */
const simulator = path.join(core, '../simulator');
const simulatorTexts = globSync('*.ts', { cwd: simulator })
  .filter((file) => file !== 'receipts.ts')
  .flatMap((file) => [...readFileSync(path.join(simulator, file), 'utf8').matchAll(/\btext: '([^']+)'/g)])
  .map(([, text]) => String(text));

describe('the bridge in German', () => {
  const german = (sentence: string) => bridgeSentence(sentence, 'de');

  test('has a sentence for each that the core can say', () => {
    expect(sentences.length).toBeGreaterThan(200);
    // The beginning of a sentence is one with its rest.
    const known = (text: string) =>
      beginnings.includes(text) ||
      [text, `${text}: ${gap}`, `${text}: ${gap}.`].some((one) => german(one) !== null);
    const unsaid = sentences.filter(([, text]) => !known(text)).map(([file, text]) => `${file}: ${text}`);
    expect(unsaid, 'src/locales/bridge/de.json lacks these').toEqual([]);
  });

  test('has the reasons of a line that cannot be used', () => {
    expect(lineReasons.length).toBeGreaterThan(20);
    const known = (text: string) => german(text) !== null || german(text.replaceAll(gap, '7')) !== null;
    expect(lineReasons.filter((text) => !known(text))).toEqual([]);
    expect(german('The connection to the terminal on COM3 was lost: COM3 was unplugged.')).toBe(
      'Die Verbindung zum Terminal an COM3 ging verloren: COM3 wurde ausgesteckt.',
    );
    expect(german('The terminal on memory:simulator cannot be reached: closed by the other side.')).toBe(
      'Das simulierte Terminal ist nicht erreichbar: von der Gegenseite getrennt.',
    );
  });

  test('has why a statement of a bank cannot be used', () => {
    expect(statementReasons.length).toBeGreaterThan(15);
    expect(statementReasons.filter((text) => german(text) === null)).toEqual([]);
    expect(german('june.xml cannot be used: it is no XML (line 7).')).toBe(
      'june.xml ist nicht verwendbar: es ist kein XML (Zeile 7).',
    );
  });

  test('has what the simulator shows on its display', () => {
    expect(simulatorTexts).toEqual(expect.arrayContaining(['Insert card', 'Enter PIN']));
    expect(simulatorTexts.filter((text) => german(text) === null)).toEqual([]);
  });

  test('keeps what changes in a sentence, and says a sentence within a sentence in German, too', () => {
    expect(german('The terminal refused: Card expired.')).toBe(
      'Das Terminal hat abgelehnt: Karte abgelaufen.',
    );
    expect(german('The terminal refused: Declined by the bank: wrong PIN.')).toBe(
      'Das Terminal hat abgelehnt: Von der Bank abgelehnt: falsche PIN.',
    );
    expect(german('Card expired.')).toBe('Karte abgelaufen.');
    expect(german('The terminal on tcp:10.0.0.7:20007 cannot be reached: 10.0.0.7 (what)? $& {x}')).toBe(
      'Das Terminal an tcp:10.0.0.7:20007 ist nicht erreichbar: 10.0.0.7 (what)? $& {x}',
    );
    const refused = '10.0.0.7:20007 refuses the connection: is the terminal on, and is the port right?';
    expect(german(`The terminal on tcp:10.0.0.7:20007 cannot be reached: ${refused}`)).toBe(
      'Das Terminal an tcp:10.0.0.7:20007 ist nicht erreichbar: 10.0.0.7:20007 nimmt die Verbindung nicht an: ' +
        'Ist das Terminal eingeschaltet, und stimmt der Port?',
    );
    expect(
      german('The terminal on tcp:10.0.0.7:20007 cannot be reached: 10.0.0.7:20007 does not answer.'),
    ).toBe('Das Terminal an tcp:10.0.0.7:20007 ist nicht erreichbar: 10.0.0.7:20007 antwortet nicht.');
    expect(german('Decided by Ready: Card expired')).toBe('Entschieden von Ready: Card expired');
  });

  test('says which of several terminals a refusal is about', () => {
    const damaged = 'The journal cannot be read.';
    expect(german(`Nobody can tell whether this reference was paid on the terminal "bar": ${damaged}`)).toBe(
      'Niemand kann sagen, ob diese Referenz an Terminal „bar“ bezahlt wurde: Das Journal kann nicht gelesen werden.',
    );
    expect(german('This bridge has no terminal "kiosk". Its terminals: "main", "bar".')).toBe(
      'Diese Bridge hat kein Terminal „kiosk“. Ihre Terminals: "main", "bar".',
    );
    expect(
      german(
        'Payment R-1 is on the terminal "bar", not on "main", so nothing was sent. Send x-terminal: bar.',
      ),
    ).toBe(
      'Die Zahlung R-1 ist an Terminal „bar“, nicht an „main“, deshalb wurde nichts gesendet. Senden Sie x-terminal: bar.',
    );
  });

  test.each([
    ['The batch was closed: 1 payment, 24.00 EUR.', '1 Zahlung, 24,00 EUR.'],
    ['The batch was closed: 12 payments, 1240.50 EUR.', '12 Zahlungen, 1.240,50 EUR.'],
    ['The batch was closed: 12 payments.', '12 Zahlungen.'],
    [
      'The batch was closed: 2 payments, 3.00 EUR. The terminal’s totals were not found equal to the journal’s; see the differences.',
      '2 Zahlungen, 3,00 EUR. Die Summen des Terminals stimmen',
    ],
  ])('says how a batch was closed: %s', (sentence, said) => {
    expect(german(sentence)).toContain(`Der Kassenschnitt ist abgeschlossen: ${said}`);
  });

  test('has each ending of what the terminal approved', () => {
    for (const end of [
      'only a part of the amount of 12.00 EUR; that was refused.',
      'more than the 12.00 EUR that were asked; that was refused.',
      'more than the 12.00 EUR that were asked and the 13.20 EUR that a tip may make of it; that was refused.',
    ])
      expect(german(`The terminal approved 14.00 EUR, ${end}`)).toMatch(
        /14,00 EUR genehmigt.*12,00 EUR.*abgelehnt\.$/,
      );
  });

  const ours = sale({ reference: 'A-1' });
  const operations = [ours, voidOf(ours), batch()];
  const rows = (count: number) => Array.from({ length: count }, () => ({ reference: 'A-1' }) as PaymentRow);
  const records = [
    record({ receiptNumber: '0003', currency: 'EUR', resultText: 'Card expired' }),
    record({ traceNumber: '000003', approved: false, resultText: 'Card expired' }),
    record({ amountMinor: null, resultText: 'Card expired' }),
  ];
  const difference = {
    scheme: 'visa',
    terminalCount: 1,
    terminalTotalMinor: 5,
    journalCount: 2,
    journalTotalMinor: 10,
  };
  const discrepancies = [
    says.otherAmount(ours, 1_300),
    says.otherAmountRefused(ours, 1_300),
    ...[[], ['A-1'], ['A-1', 'A-2']].flatMap((inQuestion) =>
      [[], [difference], [{ ...difference, terminalCount: null }]].flatMap((differences) =>
        [false, true].map((mayBeOthers) =>
          says.batchDiffers({ differences, inQuestion, mayBeOthers, byPerson: mayBeOthers, currency: 'EUR' }),
        ),
      ),
    ),
    ...operations.flatMap((operation) =>
      operationOutcomeSchema.options.flatMap((outcome) => [
        says.undone(operation, outcome),
        ...records.flatMap((one) => [
          ...[true, false].flatMap((undoes) => [
            says.lateResult(operation, outcome, one, undoes),
            says.unplacedResult(operation, outcome, one, undoes),
          ]),
          says.resultOfSeveral([operation, operation], one),
          `${says.resultOfSeveral([operation, operation], one)} ${says.recordedAs(operation, outcome)}`,
          says.refusedAfterAll(operation, outcome, one),
          says.contradicted(operation, outcome, one),
        ]),
      ]),
    ),
    ...records.flatMap((one) => [
      says.unexplainedPayment(one, 'EUR'),
      says.nobodysPayment(one, 'EUR'),
      ...operations.map((operation) => says.approvedAfterRefusal(operation, one)),
      says.unexplainedReversal(null, one, 'EUR'),
      says.unexplainedReversal('A-1', one, 'EUR'),
      says.undoneBeforeClose('A-1', one, 'EUR'),
      says.differingBeforeClose({ reference: 'A-1', amountMinor: 1_200, currency: 'EUR', result: null }, one),
      says.usedTerminal(one),
      ...[0, 1, 2].flatMap((count) => [
        says.unseenRecords(one, rows(count)),
        says.batchClosedBefore(one, rows(count)),
      ]),
    ]),
    ...[0, 1, 2].flatMap((count) => [
      says.unexplainedBatchClose(rows(count)),
      says.unseenRecords(null, rows(count)),
    ]),
    ...[1, 2].flatMap((count) => [
      says.changedTerminal(rows(count)),
      says.untoldBeforeClose(rows(count)),
      says.behindClose(rows(count)),
    ]),
  ];

  test('has a sentence for each discrepancy, with nothing English in it', () => {
    const english = /\b(?:the|payment|receipt|trace number|approved|refused|of ours)\b/i;
    const figures = /visa: .* 0\.10 EUR/;
    expect(
      discrepancies.filter((sentence) => english.test((german(sentence) ?? 'the').replace(figures, ''))),
    ).toEqual([]);
  });

  test('has a name for each control field', () => {
    const controls = Array.from({ length: 0x10000 }, (_, ctrl) =>
      controlFieldName(ctrl.toString(16).padStart(4, '0')),
    );
    const names = [...new Set(controls)].filter((name) => name !== 'unknown');
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => german(name) === null)).toEqual([]);
  });

  test('has each code, each bit and each name of a field in a frame', () => {
    const bytes = Array.from({ length: 0x100 }, (_, byte) => byte);
    const commands = ['0600', '0601', '0501', '0620', '040f', '060f'];
    const said = [
      ...bytes.flatMap((byte) => [intermediateStatusText(byte), resultText(byte), statusText(byte)]),
      ...bitFieldKeys.flatMap((key) =>
        commands.flatMap((ctrl) => bytes.flatMap((byte) => bitFieldTexts(key, ctrl, byte))),
      ),
      ...fieldNames,
      'left out',
      '12 more',
      'total',
    ];
    const unsaid = new Set(said.filter((text) => german(text) === null));
    expect([...unsaid], 'src/locales/bridge/de.json lacks these').toEqual([]);
    expect(new Set(said).size).toBeGreaterThan(250);
    const english = /\b(?:the|card|remove|payment|not|with|receipt)\b/i;
    expect(said.filter((text) => english.test(german(text) ?? ''))).toEqual([]);
  });

  test.each([
    [
      'Transbank',
      [
        ...[...transbank.knownCodes, '99'].map(transbank.resultText),
        ...[...transbank.progressCodes, '00'].map(transbank.progressText),
        ...transbank.allForms.map(({ name }) => name),
        ...transbank.fieldNames,
      ],
    ],
    [
      'KPay',
      [
        ...[...kpay.knownCodes, 12_345].map(kpay.codeText),
        ...[-1, 0, 1, 2, 3, 4, 5].map((result) => kpay.payStateText(kpay.payStateOf(result))),
        ...Object.values(kpay.transactionTypes),
        ...kpay.fieldNames,
        ...kpay.messageNames,
      ],
    ],
    [
      'ECR17',
      [
        ...[...ecr17.knownResults, '99'].map(ecr17.resultText),
        ...[...ecr17.knownStates, '9'].map(ecr17.statusText),
        ...ecr17.layouts.map(({ name }) => name),
        ...ecr17.fieldNames,
      ],
    ],
    [
      'ECR-EDC',
      [
        ...ecrEdc.fieldKindNames,
        ...ecrEdc.traceNames,
        ...ecrEdc.edcProfileNames.flatMap((name) => {
          const { notices, responses } = ecrEdc.edcProfile(name) ?? { notices: {}, responses: {} };
          return [...Object.values(notices), ...Object.values(responses)].map(({ text }) => text);
        }),
      ],
    ],
  ])('has what messages of %s say', (_, said) => {
    const unsaid = new Set(said.filter((text) => german(text) === null));
    expect([...unsaid], 'src/locales/bridge/de.json lacks these').toEqual([]);
    expect(new Set(said).size).toBeGreaterThan(40);
  });

  test('has the English sentences that a search in German may mean', () => {
    expect(englishFor('Nachricht brach', 'de', 9)).toEqual([
      'a frame broke off',
      'a frame stopped in the middle (T1)',
    ]);
    // The piece of a sentence that never changes.
    expect(englishFor(' BEANTWORTET ', 'de', 9)).toContain(' answered');
    expect(englishFor('e', 'de', 9)).toEqual([]);
    expect(englishFor('die ', 'de', 9)).toHaveLength(9);
    expect(englishFor('a frame', 'en', 9)).toEqual([]);
  });

  test('leaves alone what it does not know, and every other language', () => {
    expect(german('Something else happened.')).toBeNull();
    expect(german('Payment A-1 was approved before it could be stopped. Void it.')).toBeNull();
    expect(bridgeSentence('Card expired', 'en')).toBeNull();
    expect(bridgeSentence('Card expired', 'toString')).toBeNull();
  });

  test('does not take long over a text that somebody made to be long', () => {
    const nested = 'The terminal does not answer: '.repeat(2_000);
    expect(german(nested)).toContain('Das Terminal antwortet nicht: ');
  });

  test('uses the same names in both', () => {
    const names = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const lost = Object.entries(de).filter(([english, own]) =>
      [...names(own)].some((name) => !names(english).has(name)),
    );
    expect(lost).toEqual([]);
  });
});
