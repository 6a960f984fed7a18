/** The files that the console can save. */
import { setImmediate } from 'node:timers/promises';
import {
  canSortByAmount,
  type ConsoleService,
  type DayReportRequest,
  type FileRequest,
} from '../../contract/console/index.ts';
import { isTerminalName, mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import { terminalsOf, type MethodContext } from '../methods/context.ts';
import { moneyFolder } from '../money-place.ts';
import { moneyCsv, readResults } from '../reconcile/index.ts';
import { needsShorterSpan } from '../views/payments-by-amount.ts';
import { batchReport } from '../views/batch-report.ts';
import { dayReport } from '../views/day-report.ts';
import { batchReportCsv, dayReportCsv } from './report-csv.ts';
import { paymentsCsv } from './payments-csv.ts';
import { bundleEntries } from './support-bundle.ts';
import { zipOf } from './zip.ts';

type MadeFile = Awaited<ReturnType<ConsoleService['makeFile']>>;

/** Rejects when there is nothing that it could be made of. */
export function makeFile(context: MethodContext, request: FileRequest): Promise<MadeFile> {
  const { hostLog, supervisor, clock, log } = context;
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  log.info('a file is made for the console', { kind: request.kind });
  switch (request.kind) {
    case 'support_bundle': {
      const name = `tillbridge-support-${stamp}.zip`;
      return Promise.resolve({ name, mediaType: 'application/zip', content: zipOf(bundleEntries(context)) });
    }
    case 'log': {
      const { store } = hostLog;
      if (store === null) return Promise.reject(new Error('There is no log that could be saved.'));
      const content = encoded(store.export(request.filter));
      return Promise.resolve({
        name: `tillbridge-log-${stamp}.jsonl`,
        mediaType: 'application/x-ndjson',
        content,
      });
    }
    case 'day_report':
      return dayFile(context, request, `tillbridge-day-${suffix(request.terminal)}${stamp}.csv`);
    case 'batch_report': {
      for (const { name: terminal, journal } of supervisor.running?.bridge.terminals ?? []) {
        const report = journal === null ? null : batchReport(journal, request.operationId);
        if (journal === null || report === null) continue;
        const content = encoded(batchReportCsv(journal, report));
        const name = `tillbridge-batch-${suffix(terminal)}${stamp}.csv`;
        return Promise.resolve({ name, mediaType: 'text/csv', content });
      }
      return Promise.reject(new Error('There is no such batch.'));
    }
    case 'money': {
      const found = readResults(moneyFolder(context.moneyPlace()));
      if (!found.ok) return Promise.reject(new Error(found.message));
      if (found.value === null) return Promise.reject(new Error('Nobody has looked for the money yet.'));
      const content = encoded(moneyCsv(found.value));
      return Promise.resolve({ name: `tillbridge-money-${stamp}.csv`, mediaType: 'text/csv', content });
    }
    case 'page_pdf':
      return Promise.reject(new Error('Only the desktop app makes PDF files. Print, and choose PDF there.'));
    case 'payments': {
      const journal = terminalOf(context, request.terminal)?.journal ?? null;
      if (journal === null) return Promise.reject(new Error(noJournal));
      const { filter, order = 'newest' } = request;
      const byAmount = order === 'highest' || order === 'lowest';
      if (byAmount && !canSortByAmount(filter.span)) return Promise.reject(new Error(needsShorterSpan));
      const content = encoded(paymentsCsv(journal, filter, order));
      return Promise.resolve({
        name: `tillbridge-payments-${suffix(request.terminal)}${stamp}.csv`,
        mediaType: 'text/csv',
        content,
      });
    }
  }
}

const noJournal = 'There is no journal that could be read.';

/** Null where there is no such terminal, or no bridge. */
function terminalOf({ supervisor: { running } }: MethodContext, named: string | undefined) {
  const wanted = normalTerminalName(named ?? mainTerminal);
  return running === null ? null : (terminalsOf(running).find(({ name }) => name === wanted) ?? null);
}

/** For the file's name, where a terminal was chosen. */
function suffix(named: string | undefined): string {
  const name = normalTerminalName(named ?? mainTerminal);
  return isTerminalName(name) ? `${name}-` : '';
}

async function dayFile(
  context: MethodContext,
  { terminal, span, compared }: DayReportRequest,
  name: string,
): Promise<MadeFile> {
  const { supervisor } = context;
  const { running } = supervisor;
  const chosen = terminalOf(context, terminal);
  const journal = chosen?.journal ?? null;
  if (chosen === null || journal === null) throw new Error(noJournal);
  const isOpen = () => supervisor.running === running;
  const { currency } = chosen.configuration;
  const report = await dayReport({ journal, isOpen, span, compared, currency });
  if (report === null) throw new Error('The bridge was restarted. Try again.');
  return { name, mediaType: 'text/csv', content: encoded(dayReportCsv(report)) };
}

/** Between two pieces everything else has its turn: a payment may be running. */
async function* encoded(pieces: Iterable<string>): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) {
    yield encoder.encode(piece);
    await setImmediate();
  }
}
