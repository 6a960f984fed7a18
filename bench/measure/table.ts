/** Comparisons as a Markdown table that can also be read in a terminal. */
import { isMet, type Aim, type Comparison } from './comparison.ts';

export interface Section {
  title: string;
  /** The two columns' names. */
  ours: string;
  other: string;
  /** What the ratio is, in words. */
  ratio: string;
}

export function tableOf(section: Section, comparisons: readonly Comparison[]): string {
  const head = ['', section.ours, section.other, section.ratio, 'lowest – highest', 'aim'];
  const rows = comparisons.map((comparison) => [
    comparison.what,
    number(comparison.ours.median),
    number(comparison.other.median),
    comparison.ratio.median.toFixed(2),
    `${comparison.ratio.min.toFixed(2)} – ${comparison.ratio.max.toFixed(2)} (${comparison.ratio.count})`,
    aimWords(comparison),
  ]);
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0 && column < 5)).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column > 0 && column < 5 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [section.title, '', line(head), rule, ...rows.map(line)].join('\n');
}

function aimWords(comparison: Comparison): string {
  const { aim } = comparison;
  if (aim === null) return '';
  return `${aimText(aim)} ${isMet(comparison) === true ? 'met' : 'MISSED'}`;
}

function aimText(aim: Aim): string {
  if ('atMostMs' in aim) return `≤ ${aim.atMostMs} ms`;
  return 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
}

/** Three digits that count, more in front of the point if there are more. */
function number(value: number): string {
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-9)))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
