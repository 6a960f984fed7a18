/** A log line for people, made from the masked JSON line. */
import { printableLine } from '../base/printable-text.ts';

const maxShownCharacters = 200;
/** Of the message and its fields, in characters: a frame's trace is the longest. */
const maxTextCharacters = 8_000;
const maxStackLines = 50;

/**
 * `02:03:04.123 warn  line      cannot open serial:/dev/ttyUSB0 (reason=…)`, in the machine's own time; an error's
 * stack follows on lines of its own. What a terminal or a POS sent can neither move the cursor nor forge a line.
 */
export function readableLine(jsonLine: string): string {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(jsonLine) as Record<string, unknown>;
  } catch {
    return printableLine(jsonLine, maxTextCharacters);
  }
  const { time, level, source, msg, ...rest } = line;
  const stacks: string[] = [];
  const fields = Object.entries(rest).map(([name, value]) => {
    if (isError(value)) stacks.push(value.stack);
    return `${name}=${shown(value)}`;
  });
  const head = [
    shownTime(time),
    printableLine(shown(level), maxShownCharacters).padEnd(5),
    printableLine(shown(source ?? 'bridge'), maxShownCharacters).padEnd(9),
  ];
  const text = `${shown(msg ?? '')}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
  return [`${head.join(' ')} ${printableLine(text, maxTextCharacters)}`, ...stacks.flatMap(stackLines)].join(
    '\n',
  );
}

function stackLines(stack: string): string[] {
  return stack.split('\n', maxStackLines).map((line) => `    ${printableLine(line, maxTextCharacters)}`);
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
