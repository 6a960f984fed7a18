/** Log stores as a bridge leaves them: the lines of a payment that was really made, over and over under new names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '../../src/log/log-store.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Bench } from './bench.ts';
import { createCaller } from './caller.ts';
import { bridgeArguments, startServer } from './processes.ts';
import { payOnce } from './till.ts';

/** How far apart the lines are that are written here. */
const lineEveryMs = 100;

export interface FilledLog {
  dataDir: string;
  lines: number;
}

/** The masked lines of one payment with the simulated terminal, all its frames among them. */
export async function paymentLines(bench: Bench): Promise<string[]> {
  const dataDir = bench.folder();
  const bridge = await startServer(bench, [...bridgeArguments(dataDir), '--log-level=debug']);
  const caller = createCaller(bridge.port);
  await payOnce(caller);
  caller.close();
  await bridge.end();
  const lines = readFileSync(join(dataDir, 'simulator/logs/tillbridge.log'), 'utf8').trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => line.includes('"operation":"started"')));
}

/** A data folder in which the simulator's log store has so many lines. */
export function fillLog(bench: Bench, template: readonly string[], lines: number): FilledLog {
  const dataDir = bench.folder();
  const file = join(dataDir, 'simulator/logs/book.sqlite');
  const onTrouble = (message: string, error: unknown) => bench.say(`${message}: ${String(error)}`);
  const store = openLogStore({ file, clock: systemClock, onTrouble });
  const pieces = template.map(piecesOf);
  const startMs = Date.now() - lines * lineEveryMs;
  for (let count = 0; count < lines; count += 1) {
    const payment = Math.floor(count / pieces.length);
    const time = new Date(startMs + count * lineEveryMs).toISOString();
    const id = `01a2001c-fecf-74d9-bcb3-${payment.toString(16).padStart(12, '0')}`;
    const names = { time, operation: id, reference: `FILLED-${payment}` };
    const parts = pieces[count % pieces.length] ?? [];
    store.take(parts.map((part) => (typeof part === 'string' ? part : names[part.name])).join(''));
  }
  store.close();
  return { dataDir, lines };
}

type Piece = string | { name: 'time' | 'operation' | 'reference' };

/** A line with holes where each payment has something of its own. */
function piecesOf(line: string): Piece[] {
  const { time, operation_id: operation, reference } = JSON.parse(line) as Record<string, unknown>;
  let pieces: Piece[] = [line];
  for (const [name, value] of Object.entries({ time, operation, reference })) {
    if (typeof value !== 'string') continue;
    const hole = { name: name as 'time' | 'operation' | 'reference' };
    pieces = pieces.flatMap((piece) =>
      typeof piece === 'string'
        ? piece.split(value).flatMap((rest, index) => (index === 0 ? [rest] : [hole, rest]))
        : [piece],
    );
  }
  return pieces;
}
