/**
 * Texts from outside that lie: what a terminal, a POS, a file or a remote service says, at each exit that leads to people.
 * None of them moves a cursor, names a window, forges a line, turns letters around, hides some or fills the screen.
 */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/log/index.ts';
import type { PaymentsApi, TerminalStatus } from '../../src/bridge/payments/index.ts';
import {
  decodeMessage,
  fromHex,
  progressText,
  createReceiptLines,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import type { ConsoleTransport, ConsoleState } from '../../src/contract/console/index.ts';
import { eventMessage } from '../../src/headless/journal-event-text.ts';
import { printEvents } from '../../src/headless/bridge-output.ts';
import { createOutput, oneLine } from '../../src/headless/cli-context.ts';
import { paymentsCsv } from '../../src/host/saved-files/payments-csv.ts';
import { createConsoleClient } from '../../src/renderer/store/console-client.ts';
import { consoleState } from '../support/console-data.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const forged = 'FORGED 14:05:09 payment A-1 of 12.00 EUR: approved.';

const attacks: [what: string, text: string][] = [
  ['a line feed', `ok\n${forged}`],
  ['a carriage return', `ok\r${forged}`],
  ['both', `ok\r\n${forged}`],
  ['next line', `ok\u0085${forged}`],
  ['a line separator', `ok\u2028${forged}`],
  ['a paragraph separator', `ok\u2029${forged}`],
  ['a vertical tab', `ok\u000b${forged}`],
  ['a form feed', `ok\u000c${forged}`],
  ['blanks up to the edge', `ok${' '.repeat(300)}${forged}`],
  ['a cursor that goes up', `ok\u001b[1A\u001b[2K${forged}`],
  ['a cursor that goes back', `ok\u0008\u0008${forged}`],
  ['a cleared screen', '\u001b[2J\u001b[H'],
  ['CSI in one character', '\u009b2J'],
  ['the title of the window', '\u001b]0;Tillbridge: all is well\u0007'],
  ['the title, ended by ST', '\u009d0;x\u009c'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\receipt\u001b]8;;\u001b\\'],
  ['the clipboard', '\u001b]52;c;cm0gLXJmIH4K\u0007'],
  ['an override', 'amount \u202e00.21\u202c EUR'],
  ['isolates', '\u2067amount\u2069 \u2068x'],
  ['hidden letters', 'A\u200b-\u200d1\ufeff0\u20601'],
  ['letters of tags', 'A-1\u{e0041}\u{e0042}'],
  ['a tower of marks', `e${'\u0301\u0316'.repeat(500)}`],
  ['half surrogates', 'a\ud800b\udfffc'],
  ['a bell and a null', '\u0007\u0000'],
  ['what fills a screen', 'x'.repeat(60_000)],
  ['escapes that fill it', '\u001b'.repeat(60_000)],
];

const longestLine = 16_001;

/** What comes out of each exit when `text` goes in. */
const exits: [where: string, out: (text: string) => Promise<string> | string][] = [
  [
    'standard output, a line of its own',
    (text) => output((context) => context.info(`Terminal shows: ${text}`)).stdout,
  ],
  [
    'standard output, a result',
    (text) => output((context) => context.stdout(oneLine(`It is ${text}.`))).stdout,
  ],
  [
    'standard output, JSON',
    (text) => output((context) => context.stdoutExact(JSON.stringify({ a: text.slice(0, 2_500) }))).stdout,
  ],
  ['standard error', (text) => output((context) => context.error(oneLine(`Note: ${text}`))).stderr],
  ['a sentence about the terminal', narrated],
  [
    'a fact in a list',
    (text) =>
      output((context) =>
        context.stdout(oneLine(eventMessage({ type: 'operation_in_doubt', operationId: 'x', reason: text }))),
      ).stdout,
  ],
  ['the readable log', (text) => logged(text).pretty],
  [
    'a stack in the readable log',
    (text) =>
      logged('x', Object.assign(new Error('x'), { stack: `Error: ${text.replaceAll('\n', '')}` })).pretty,
  ],
  ['the payments as a table', (text) => csvOf(text)],
  ['the console’s page', pageOf],
  ['what the terminal shows', (text) => progressText(decodeMessage(display(text)), 'utf8')],
  ['a receipt', receiptOf],
  ['a result’s text', (text) => toTerminalRecord(decodeMessage(result(text)), 'utf8').hostResponseText ?? ''],
];

describe.each(exits)('%s', (_where, out) => {
  it.each(attacks)('is safe from %s', async (_what, text) => {
    const shown = await out(text);
    const lines = shown.split('\n');
    expect(lines.filter((line) => /^["' ]{0,8}FORGED/.test(line))).toEqual([]);
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(line).not.toMatch(/\p{M}{5}/u);
      expect(line.length).toBeLessThan(longestLine);
    }
  });
});

describe('a table for a spreadsheet', () => {
  it.each([
    '=1+1',
    '+1',
    '-1+1',
    '-A1',
    '-1.50 ',
    '@SUM(A1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '  =1+1',
    '＝1+1',
    '＋1',
    '＠x',
    '\u200b=1+1',
    '\u00a0=1',
  ])('has no formula: %j', (text) => {
    const [, row = ''] = csvOf(text).split('\n');
    const [, cell = ''] = row.split('","');
    expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
  });

  it.each(['-1', '-39.62'])('has an amount below zero as the number that it is: %j', (text) => {
    const [, row = ''] = csvOf(text).split('\n');
    expect(row.split('","')[1]).toBe(text);
  });
});

function output(act: (context: ReturnType<typeof createOutput>) => void): { stdout: string; stderr: string } {
  const streams = [new PassThrough(), new PassThrough()] as const;
  act(createOutput(...streams));
  const [stdout, stderr] = streams.map((stream) => String(stream.read() ?? '').replace(/\n$/, ''));
  return { stdout: stdout ?? '', stderr: stderr ?? '' };
}

function narrated(text: string): string {
  const terminal: TerminalStatus = {
    connection: 'ready',
    text: 'ready',
    line: 'tcp:x',
    terminal: null,
    simulated: false,
    progress: text,
    progressStep: null,
  };
  const payments = {
    status: () => ({ terminal, discrepancies: 0 }),
    operationsInDoubt: () => [],
    subscribe: () => () => {},
  } as unknown as Pick<PaymentsApi, 'status' | 'operationsInDoubt' | 'subscribe'>;
  return output((context) =>
    printEvents(payments, '/shop/till', (sentence) => context.info(`14:05:09  ${sentence}`)).stop(),
  ).stdout;
}

function logged(text: string, err?: Error): { pretty: string } {
  const pretty = new PassThrough();
  const { log } = createLog({ folder: null, level: 'debug', clock: createVirtualClock(), pretty });
  log.info(`shows ${text}`, { shown: text, ...(err === undefined ? {} : { err }) });
  return { pretty: String(pretty.read() ?? '').replace(/\n$/, '') };
}

function csvOf(text: string): string {
  const payment = {
    transactionId: 'x',
    reference: text,
    amountMinor: 1200,
    currency: 'EUR',
    conditionCode: '00',
    status: 'approved',
    createdAt: '2026-11-21T14:05:09.000Z',
    completedAt: null,
    approvedMinor: 1200,
    reason: text,
    terminal: { terminalId: null },
    record: null,
    resolvedBy: null,
    simulated: false,
  };
  // Somebody decided, and said this text.
  const decided = { type: 'operation_ended', resolvedBy: { name: text, reason: text } };
  const journal = {
    searchPayments: () => ({ payments: [payment], next: null }),
    voidsOf: () => ['a void'],
    eventsOf: () => [{ at: '2026-01-01T00:00:00.000Z', event: decided }],
  };
  return [...paymentsCsv(journal as never, { span: null, status: null, text: null })]
    .join('')
    .replaceAll('\r\n', '\n');
}

async function pageOf(text: string): Promise<string> {
  const state: ConsoleState = consoleState();
  const transport: ConsoleTransport = {
    invoke: (name) =>
      Promise.resolve(
        name === 'state'
          ? { ok: true, value: { ...state, blockedOrigins: [{ origin: text, at: text }] } }
          : { ok: false, refusal: { code: 'internal_error', message: 'not here' } },
      ),
    subscribe: () => () => {},
    save: () => Promise.reject(new Error('not here')),
  };
  const client = createConsoleClient(transport);
  const answer = await client.invoke('state', {});
  if (!answer.ok) throw new Error(answer.refusal.message);
  // HTML makes a blank of a line break.
  return answer.value.blockedOrigins.map(({ origin }) => origin.replaceAll('\n', ' ')).join('');
}

function utf8(text: string, maxBytes = 60_000): string {
  return Buffer.from(text).subarray(0, maxBytes).toString('hex');
}

function tlv(tag: string, value: string): string {
  return `${tag}82${(value.length / 2).toString(16).padStart(4, '0')}${value}`;
}

function apdu(ctrl: string, data: string): Uint8Array {
  const bytes = data.length / 2;
  return fromHex(
    `${ctrl}ff${(bytes & 0xff).toString(16).padStart(2, '0')}${(bytes >> 8).toString(16).padStart(2, '0')}${data}`,
  );
}

function display(text: string): Uint8Array {
  return apdu('04ff', `ff01${tlv('06', `1401fe${tlv('24', tlv('07', utf8(text)))}`)}`);
}

function result(text: string): Uint8Array {
  return apdu('040f', `276c${tlv('06', `1401fe${tlv('24', tlv('07', utf8(text)))}`)}`);
}

function receiptOf(text: string): string {
  const receipt = createReceiptLines('utf8');
  receipt.take(decodeMessage(apdu('06d3', tlv('06', `1401fe${tlv('25', tlv('07', utf8(text)))}`))));
  return receipt.printed.receiptLines.join('\n');
}
