/** A log line for people, made from the masked JSON line. */

const maxShownCharacters = 200;

/**
 * `02:03:04.123 warn  line      cannot open serial:/dev/ttyUSB0 (reason=…)`, in the machine's own time; an error's
 * stack follows on lines of its own. Control characters are made visible: what a terminal or a POS sent must not move
 * the cursor or forge a line.
 */
export function readableLine(jsonLine: string): string {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(jsonLine) as Record<string, unknown>;
  } catch {
    return visible(jsonLine);
  }
  const { time, level, source, msg, ...rest } = line;
  const stacks: string[] = [];
  const fields = Object.entries(rest).map(([name, value]) => {
    if (isError(value)) stacks.push(value.stack);
    return `${name}=${shown(value)}`;
  });
  const head = [
    shownTime(time),
    shown(level).padEnd(5),
    shown(source ?? 'bridge').padEnd(9),
    shown(msg ?? ''),
  ];
  const text = visible(`${head.join(' ')}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`);
  return [text, ...stacks.flatMap((stack) => stack.split('\n').map((entry) => `    ${visible(entry)}`))].join(
    '\n',
  );
}

function shownTime(time: unknown): string {
  const date = new Date(typeof time === 'string' ? time : NaN);
  if (Number.isNaN(date.getTime())) return '--:--:--.---';
  const two = (value: number) => value.toString().padStart(2, '0');
  const milliseconds = date.getMilliseconds().toString().padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${milliseconds}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isError(value)) return shortened(value.message);
  return shortened(JSON.stringify(value) ?? '');
}

function shortened(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}

function isError(value: unknown): value is { message: string; stack: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stack' in value &&
    typeof value.stack === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    if (character === '\n') return ' ⏎ ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
