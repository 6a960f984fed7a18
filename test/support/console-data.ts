/** Made-up answers of a host, for tests of the window alone. What they are based on is valid; change what a test needs. */
import type {
  BatchView,
  Diagnosis,
  DiagnosisFinding,
  DiagnosisFindingName,
  ConsoleState,
  DayReport,
  DaySummary,
  CurrentOperation,
  LogLine,
  OtherTerminalState,
  PaymentDetail,
  PaymentView,
  Receipt,
  ReceiptSlip,
  SerialPortView,
  SettingsView,
} from '../../src/contract/console/index.ts';
import { discrepancyHold, type DiscrepancyView } from '../../src/contract/discrepancy.ts';
import type { InDoubtView } from '../../src/contract/in-doubt.ts';
import { isDecided } from '../../src/contract/operation.ts';
import { emptyRecord as emptyTerminalRecord } from '../../src/contract/terminal.ts';

const startMs = Date.UTC(2026, 4, 12, 8, 0, 0);
/** The instant at which a page is opened: later on that day. */
export const nowMs = Date.UTC(2026, 4, 12, 14, 0, 0);

/** An instant `minutes` after eight o'clock (UTC) of the day on which everything here happens. */
export function at(minutes: number): string {
  return new Date(startMs + minutes * 60_000).toISOString();
}

export function consoleState(changes: Partial<ConsoleState> = {}): ConsoleState {
  return {
    version: '9.9.9',
    host: 'headless',
    bridge: { kind: 'running' },
    listener: { kind: 'on', port: 8080, addresses: ['http://127.0.0.1:8080', 'http://[::1]:8080'] },
    terminal: terminalState(),
    journal: { writable: true, text: 'The journal is written.', damaged: false },
    currency: 'EUR',
    currentOperation: null,
    doubts: [],
    discrepancies: [],
    discrepancyCount: changes.discrepancies?.length ?? 0,
    salesHeld: changes.discrepancies?.some(({ kind }) => discrepancyHold[kind] === 'sales') ?? false,
    heldElsewhere: null,
    doubtsElsewhere: 0,
    discrepanciesElsewhere: 0,
    lastPayment: paymentView(1),
    lastEnded: null,
    blockedOrigins: [],
    ...changes,
  };
}

export function terminalState(
  changes: Partial<NonNullable<ConsoleState['terminal']>> = {},
): NonNullable<ConsoleState['terminal']> {
  return {
    connection: 'ready',
    text: 'The terminal is ready.',
    line: 'serial:/dev/ttyUSB0',
    terminal: { protocol: 'zvt', terminalId: '52500041' },
    simulated: false,
    progress: null,
    progressStep: null,
    lastHeardAt: at(61),
    ...changes,
  };
}

/** One beside the main one, called "bar". */
export function otherTerminalState(changes: Partial<OtherTerminalState> = {}): OtherTerminalState {
  return {
    name: 'bar',
    retired: false,
    terminal: terminalState({
      line: 'tcp:10.0.0.5:20007',
      terminal: { protocol: 'zvt', terminalId: '52500042' },
    }),
    journal: { writable: true, text: 'The journal is written.', damaged: false },
    currency: 'EUR',
    currentOperation: null,
    salesHeld: false,
    heldElsewhere: null,
    lastPayment: null,
    lastEnded: null,
    ...changes,
  };
}

/** A payment on the terminal, begun as the page is opened. */
export function currentOperationView(changes: Partial<CurrentOperation> = {}): CurrentOperation {
  return {
    operationId: '01a1ffe8-3316-7291-ad76-000000000007',
    kind: 'sale',
    reference: 'A-1007',
    amountMinor: 123_456,
    currency: 'EUR',
    startedAt: new Date(nowMs).toISOString(),
    cancelRequested: false,
    ...changes,
  };
}

export function paymentView(number: number, changes: Partial<PaymentView> = {}): PaymentView {
  const id = number.toString(16).padStart(12, '0');
  const amountMinor = changes.amountMinor ?? 1_200 + (number % 90) * 100;
  return {
    position: number * 4,
    transactionId: `01a1ffe8-3316-7291-ad76-${id}`,
    reference: `A-${1000 + number}`,
    conditionCode: '00',
    amountMinor,
    approvedMinor: amountMinor,
    currency: 'EUR',
    status: 'approved',
    simulated: false,
    terminal: { protocol: 'zvt', terminalId: '52500041' },
    createdAt: at(number),
    updatedAt: at(number + 0.1),
    completedAt: at(number + 0.1),
    reason: 'The terminal approved the payment.',
    approvalCode: '472910',
    maskedCardNumber: '541333******0041',
    cardScheme: 'Debit Mastercard',
    receiptNumber: String(number).padStart(4, '0'),
    traceNumber: String(number).padStart(6, '0'),
    receiptLines: [],
    batchNumber: null,
    decisions: [],
    ...changes,
  };
}

/** What the receipts of a payment are made of; without changes it has ended, and the terminal sent no lines. */
export function receiptView(payment: PaymentView, changes: Partial<Receipt> = {}): Receipt {
  const { status } = payment;
  const ended = isDecided(status);
  const refused = status === 'declined' || status === 'cancelled' || status === 'failed';
  const slip = (kind: 'sale' | 'void'): ReceiptSlip => ({
    operationId:
      kind === 'sale' ? payment.transactionId : payment.transactionId.replace('01a1ffe8', '01a1ffe9'),
    kind,
    outcome: kind === 'void' ? 'voided' : refused ? status : 'approved',
    endedAt: kind === 'void' ? payment.updatedAt : (payment.completedAt ?? payment.updatedAt),
    result: {
      ...emptyTerminalRecord(),
      kind: kind === 'sale' ? 'payment' : 'reversal',
      approved: !refused,
      amountMinor: payment.approvedMinor,
      currency: payment.currency,
      terminalId: payment.terminal.terminalId,
      merchantId: '455600012345',
      traceNumber: payment.traceNumber,
      receiptNumber: payment.receiptNumber,
      approvalCode: payment.approvalCode,
      maskedCardNumber: payment.maskedCardNumber,
      cardScheme: payment.cardScheme,
      entryMode: 'contactless',
    },
    printed: [],
  });
  return {
    payment,
    slips: [...(ended ? [slip('sale')] : []), ...(status === 'voided' ? [slip('void')] : [])],
    printedBefore: false,
    ...changes,
  };
}

const emptyRecord = { kind: 'empty' } as const;

export function inDoubtView(changes: Partial<InDoubtView> = {}): InDoubtView {
  const payment = paymentView(7);
  return {
    operationId: payment.transactionId,
    kind: 'sale',
    reference: payment.reference,
    amount: '19.00',
    currency: 'EUR',
    startedAt: payment.createdAt,
    reason: 'The line was lost while the terminal worked.',
    needsDecision: true,
    terminalSeenIdle: true,
    facts: [
      {
        seq: 28,
        at: payment.createdAt,
        event: {
          type: 'operation_started',
          kind: 'sale',
          operationId: payment.transactionId,
          terminal: payment.terminal,
          baseline: emptyRecord,
          simulated: false,
          reference: payment.reference,
          conditionCode: '00',
          amountMinor: 1_900,
          currency: 'EUR',
        },
      },
      {
        seq: 29,
        at: at(7.2),
        event: {
          type: 'operation_in_doubt',
          operationId: payment.transactionId,
          reason: 'The line was lost while the terminal worked.',
        },
      },
      {
        seq: 30,
        at: at(7.5),
        event: {
          type: 'evidence_found',
          operationId: payment.transactionId,
          evidence: {
            lastRecord: { kind: 'unavailable', reason: 'The terminal keeps no record.' },
            explanation: 'The terminal does not tell what it did.',
          },
          needsPerson: true,
        },
      },
    ],
    resolutions: ['charged', 'not-charged'],
    ...changes,
  };
}

export function discrepancyView(number: number, changes: Partial<DiscrepancyView> = {}): DiscrepancyView {
  return {
    discrepancyId: `01a1ffe8-3316-7291-ad77-${number.toString(16).padStart(12, '0')}`,
    seq: number,
    kind: 'contradicted_outcome',
    operationId: paymentView(7).transactionId,
    references: ['A-1007'],
    amountMinor: 1_900,
    currency: 'EUR',
    record: {
      ...emptyTerminalRecord(),
      kind: 'payment',
      approved: true,
      amountMinor: 1_900,
      currency: 'EUR',
      receiptNumber: '0007',
      traceNumber: '000007',
      maskedCardNumber: '541333******0041',
    },
    message: 'Payment A-1007 was decided as not charged, but the terminal shows that it was charged.',
    foundAt: at(9),
    acknowledged: null,
    ...changes,
  };
}

export function paymentDetail(payment: PaymentView, changes: Partial<PaymentDetail> = {}): PaymentDetail {
  const [started] = inDoubtView().facts;
  if (started === undefined) throw new Error('A doubt has facts.');
  return {
    payment,
    timeline: [
      { kind: 'journal_event', at: payment.createdAt, stored: started },
      {
        kind: 'pos',
        at: payment.createdAt,
        command: 'CreatePayment',
        httpStatus: 200,
        durationMs: 4,
        requestId: '5f0f3e8f-0116-4581-98ad-b4021b2f652c',
        logLineId: 411,
      },
      {
        kind: 'frame',
        at: payment.createdAt,
        direction: 'to_terminal',
        name: 'authorisation',
        control: '0601',
        lengthBytes: 15,
        hex: '06 01 0c 04 00 00 00 00 12 00 49 09 78 19 40',
        fields: [
          ['amount', '12.00'],
          ['currency', 'EUR'],
        ],
        logLineId: 412,
      },
      { kind: 'log', at: payment.updatedAt, line: logLine(413, { message: 'the sale ended: done' }) },
    ],
    leftOut: 0,
    doubtOperationId: null,
    discrepancies: [],
    ...changes,
  };
}

export function logLine(id: number, changes: Partial<LogLine> = {}): LogLine {
  const reference = changes.fields?.['reference'];
  return {
    id,
    time: new Date(startMs + id * 20).toISOString(),
    level: 'info',
    source: 'payments',
    message: `line ${id}`,
    fields: {},
    operationId: null,
    reference: typeof reference === 'string' ? reference : null,
    ...changes,
  };
}

export function batchView(number: number, changes: Partial<BatchView> = {}): BatchView {
  return {
    position: number * 100,
    operationId: `01a1ffe8-3316-7291-ad76-${number.toString(16).padStart(12, 'b')}`,
    phase: 'ended',
    outcome: 'closed',
    startedAt: at(600),
    endedAt: at(601),
    reason: 'The terminal closed the day.',
    currency: 'EUR',
    expected: { count: 12, totalMinor: 15_400 },
    result: {
      batchNumber: String(number),
      count: 12,
      totalMinor: 15_400,
      currency: 'EUR',
      reconciled: true,
      differences: [],
      totals: [{ scheme: 'mastercard', count: 12, totalMinor: 15_400 }],
    },
    ...changes,
  };
}

export function daySummary(changes: Partial<DaySummary> = {}): DaySummary {
  return {
    currency: 'EUR',
    count: 42,
    approved: 39,
    decided: 41,
    sumMinor: 123_450,
    hours: Array.from({ length: 24 }, (_, hour) => {
      const count = hour < 8 || hour > 19 ? 0 : 2 + ((hour * 7) % 5);
      return { from: at((hour - 8) * 60), count, approved: Math.max(0, count - 1), sumMinor: count * 1_750 };
    }),
    schemes: [
      { scheme: 'girocard', count: 24, sumMinor: 70_000 },
      { scheme: 'Debit Mastercard', count: 9, sumMinor: 40_000 },
      { scheme: 'Visa', count: 5, sumMinor: 13_000 },
      { scheme: null, count: 1, sumMinor: 450 },
    ],
    statuses: [
      { status: 'approved', count: 38, sumMinor: 123_450 },
      { status: 'declined', count: 2, sumMinor: 4_300 },
      { status: 'unknown', count: 1, sumMinor: 1_900 },
      { status: 'voided', count: 1, sumMinor: 2_790 },
    ],
    responseTimes: Array.from({ length: 41 }, (_, number) => ({
      at: at(number * 12),
      answerMs: 8 + ((number * 7) % 40),
      cardMs: 900 + ((number * 397) % 2_400),
    })),
    ...changes,
  };
}

/** A finding with nothing but its name and what a test gives. */
export function finding(
  name: DiagnosisFindingName,
  more: Partial<Omit<DiagnosisFinding, 'finding'>> = {},
): DiagnosisFinding {
  return { finding: name, values: {}, said: null, command: null, at: null, ...more };
}

/** All is well, unless other findings are given. */
export function diagnosis(changes: Partial<Diagnosis> = {}): Diagnosis {
  return {
    at: new Date(nowMs).toISOString(),
    findings: [
      finding('bridge_runs'),
      finding('settings_used'),
      finding('money_clear'),
      finding('cable_seen', { values: { path: '/dev/ttyUSB0', name: 'Prolific USB-Serial' } }),
      finding('port_ours'),
      finding('permission_given'),
      finding('terminal_heard', { at: at(359) }),
      finding('registered', { values: { terminal: '52500041' } }),
      finding('terminal_ready'),
      finding('record_shown', { values: { receipt: '0042' } }),
      finding('listener_on', { values: { address: 'http://127.0.0.1:8080' } }),
      finding('pos_called', { values: { caller: 'Kasse/3.1', path: 'CreatePayment' }, at: at(358) }),
      finding('origin_clear'),
      finding('token_none'),
      finding('journal_written', { values: { size: 14_300_000, events: 48_211 }, at: at(300) }),
      finding('disk_free', { values: { folder: '/home/till', free: 12_300_000_000 } }),
      finding('clock_agrees'),
    ],
    calls: [
      {
        at: at(358),
        path: '/CreatePayment',
        caller: 'Kasse/3.1',
        address: '127.0.0.1',
        code: null,
        count: 41,
      },
      {
        at: at(300),
        path: '/CreatePayment',
        caller: 'curl/8.5.0',
        address: '127.0.0.1',
        code: 'api_version_missing',
        count: 2,
      },
    ],
    ...changes,
  };
}

export function dayReport(changes: Partial<DayReport> = {}): DayReport {
  const { hours: _hours, responseTimes: _times, ...day } = daySummary();
  const nothing = { count: 0, items: [] };
  return {
    currencies: [
      {
        day,
        compared: { ...day, count: 36, approved: 35, sumMinor: 104_900, schemes: day.schemes.slice(0, 2) },
      },
    ],
    voids: nothing,
    doubts: nothing,
    decisions: nothing,
    discrepancies: nothing,
    batches: nothing,
    complete: true,
    ...changes,
  };
}

/** Of every protocol, as the console is shown them while nothing is set. */
export const protocolSettings = {
  'ecr-edc': { profile: 'generic' },
  ecr17: { terminalId: '00000000', tillId: '00000001', lrc: 'auto' },
  kpay: { appId: '', appSecret: null },
  zvt: { password: null, receipts: 'terminal', textEncoding: 'cp437' },
} as const;

export function settingsView(changes: Partial<SettingsView> = {}): SettingsView {
  return {
    settings: {
      app: {
        language: 'en',
        theme: 'light',
        sounds: false,
        soundVolume: 'medium',
        notifications: true,
        smallWindow: 'off',
        startListener: true,
        startWithSystem: false,
        logFilters: [],
      },
      bridge: {
        terminal: 'serial:/dev/ttyUSB0',
        protocol: 'zvt',
        currency: 'EUR',
        port: 8080,
        allowedOrigins: ['https://pos.example'],
        makeReferences: false,
        maxTipPercent: 0,
        capture: false,
        logLevel: 'info',
        serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 },
        ...protocolSettings,
        updates: { feed: null, key: null, channel: 'latest', hours: null, mode: 'tell' },
      },
    },
    secretsSet: [],
    fixed: [],
    warnings: [],
    dataDir: '/home/till/.local/share/tillbridge',
    logFile: '/home/till/.local/share/tillbridge/logs/tillbridge.log',
    secrets: 'file',
    canStartWithSystem: false,
    ...changes,
  };
}

/** A serial port at which nothing is known to be. */
export function serialPort(path: string, changes: Partial<SerialPortView> = {}): SerialPortView {
  const device = {
    name: null,
    maker: null,
    product: null,
    vendorId: null,
    productId: null,
    serialNumber: null,
  };
  const use = { guess: null, inUse: false, holder: null, denied: false, group: null, terminal: null };
  return { path, ...device, ...use, ...changes };
}
