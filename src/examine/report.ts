/** What the examination found, for people and for programs. */
import { formatAmount, type Currency } from '../contract/money.ts';
import type { Call } from './call-log.ts';
import type { SceneResult } from './examination.ts';
import { seconds } from './judge.ts';
import { referenceOf, textOf } from './knowledge.ts';

type Verdict = 'passed' | 'failed' | 'not played';

/** Nothing was found against it, and everything was played. */
export function isPassed(results: readonly SceneResult[]): boolean {
  return results.every((result) => verdictOf(result) === 'passed');
}

function verdictOf({ end, findings }: SceneResult): Verdict {
  if (end === 'nobody') return 'not played';
  return findings.length === 0 ? 'passed' : 'failed';
}

const notPlayed = 'Nobody paid within the limit of the scene.';

function remarks(result: SceneResult): string[] {
  return result.end === 'nobody' ? [notPlayed] : result.findings.map(({ text }) => text);
}

/** One scene, as lines for a terminal. */
export function sceneAsLines(result: SceneResult): string[] {
  return [
    `${result.scene.name}: ${verdictOf(result)}`,
    ...remarks(result).map((text) => `  ! ${text}`),
    ...callsAsText(result.calls).map((line) => `    ${line}`),
  ];
}

/** All scenes, one line for each. */
export function reportAsTable(results: readonly SceneResult[]): string[] {
  const width = Math.max(...results.map(({ scene }) => scene.name.length));
  return results.map((result) => {
    const kinds = result.findings.map(({ kind }) => kind.replaceAll('_', ' ')).join(', ');
    return `${result.scene.name.padEnd(width)}  ${verdictOf(result).padEnd(10)}  ${kinds}`.trimEnd();
  });
}

export function summary(results: readonly SceneResult[]): string {
  const passed = results.filter((result) => verdictOf(result) === 'passed').length;
  return `${passed} of ${results.length} scenes passed.`;
}

export function reportAsMarkdown(results: readonly SceneResult[], currency: Currency): string {
  const rows = results.map(
    (result) => `| ${result.scene.name} | ${result.scene.title} | ${verdictOf(result)} |`,
  );
  return [
    '# Examination of a POS',
    '',
    summary(results),
    '',
    '| scene | what happened | result |',
    '|---|---|---|',
    ...rows,
    ...results.flatMap((result) => sceneAsMarkdown(result, currency)),
    '',
  ].join('\n');
}

function sceneAsMarkdown(result: SceneResult, currency: Currency): string[] {
  const { scene, calls, attempts } = result;
  const found = remarks(result);
  const charged = attempts.map(({ reference, chargedMinor }) =>
    chargedMinor === null
      ? `"${reference}" was not charged`
      : `"${reference}" was charged ${formatAmount(chargedMinor, currency)} ${currency}`,
  );
  return [
    '',
    `## ${scene.name}: ${verdictOf(result)}`,
    '',
    scene.title,
    '',
    `- A POS must: ${scene.must}`,
    `- The till must show: ${scene.look}`,
    ...(charged.length === 0 ? [] : [`- On the terminal: ${charged.join(', ')}.`]),
    ...(found.length === 0 ? [] : ['', '**What must not be:**', '', ...found.map((text) => `- ${text}`)]),
    '',
    '```',
    ...(calls.length === 0 ? ['no request'] : callsAsText(calls)),
    '```',
  ];
}

/** For programs: everything, times in milliseconds since the scene began. */
export function reportAsJson(results: readonly SceneResult[], currency: Currency): string {
  return JSON.stringify({
    passed: isPassed(results),
    currency,
    scenes: results.map((result) => ({
      name: result.scene.name,
      title: result.scene.title,
      must: result.scene.must,
      look: result.scene.look,
      result: verdictOf(result),
      findings: result.findings,
      payments: result.attempts.map(({ reference, chargedMinor }) => ({
        reference,
        charged: chargedMinor === null ? null : formatAmount(chargedMinor, currency),
      })),
      requests: result.calls,
    })),
  });
}

/** The request log; what is asked and answered in the same way again and again is one line. */
function callsAsText(calls: readonly Call[]): string[] {
  const lines: string[] = [];
  let again = 0;
  for (const [index, call] of calls.entries()) {
    const next = calls[index + 1];
    const before = calls[index - 1];
    const isAgain = before !== undefined && exchangeAsText(before) === exchangeAsText(call);
    const isLast = next === undefined || exchangeAsText(next) !== exchangeAsText(call);
    if (isAgain && !isLast) again += 1;
    else {
      if (again > 0) lines.push(`${''.padStart(8)}  (the same ${again} times)`);
      again = 0;
      lines.push(callAsText(call));
    }
  }
  return lines;
}

/** `  2.0 s  CreatePayment A-1, 12.00 (wait=60): 200 approved, 2.0 s later` */
function callAsText(call: Call): string {
  const { atMs, endedMs } = call;
  const later = endedMs === null ? '' : `, ${seconds(endedMs - atMs)} later`;
  return `${seconds(atMs).padStart(8)}  ${exchangeAsText(call)}${later}`;
}

function exchangeAsText(call: Call): string {
  const { path, prefer, asked } = call;
  const reference = referenceOf(call);
  const amount = textOf(asked?.['amount']);
  const words = [
    path.slice(1),
    ...(reference === null ? [] : [` ${reference}`]),
    // Digits with no more than a blank between them might be taken for a card number.
    ...(amount === '' ? [] : [`, ${amount}`]),
    ...(prefer === null ? [] : [` (${prefer})`]),
  ];
  return `${words.join('')}: ${answerAsText(call)}`;
}

function answerAsText({ end, answer }: Call): string {
  const body = answer?.body ?? {};
  const said = [
    String(answer?.status ?? ''),
    body['success'] === true ? textOf(body['transaction_status']) : textOf(body['code']),
    textOf(body['payment_state']),
  ].filter((word) => word !== '');
  switch (end) {
    case 'open':
      return 'no answer yet';
    case 'answered':
      return answer === null ? 'answered' : said.join(' ');
    case 'lost':
      return answer === null ? 'the connection was cut' : `the answer was lost (${said.join(' ')})`;
    case 'hung_up':
      return 'the POS hung up';
  }
}
