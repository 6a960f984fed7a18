/** `tillbridge doubts`: what nobody can tell yet, with its evidence. */
import type { InDoubtView } from '../../bridge/payments/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { TerminalCheck } from '../../contract/in-doubt.ts';
import { otherTerminalText } from '../../contract/other-terminal.ts';
import {
  commandOn,
  findJournals,
  sendControlRequest,
  type ControlResult,
  type JournalChoice,
  type JournalLocation,
} from '../../host/index.ts';
import { capital, describeOperation, eventMessage } from '../journal-event-text.ts';
import {
  discrepancyItems,
  doubtItems,
  listOpenItems,
  otherAnswer,
  readOpenItems,
  type ItemKind,
} from '../open-items.ts';
import { oneLine, type CliContext } from '../cli-context.ts';
import {
  journalChoice,
  onDataDir,
  withDataDir,
  withJournalFlags,
  type AddCommand,
  type DataDirOptions,
  type JournalFlags,
} from './shared.ts';

interface DoubtsOptions extends DataDirOptions, JournalFlags {
  json?: true;
  check?: true;
}

export const addDoubtsCommand: AddCommand = (program, context, runAction) => {
  withJournalFlags(withDataDir(program.command('doubts'), context))
    .summary('List the operations in doubt with their evidence.')
    .description(
      'Lists the operations in doubt: they were started, and it is not known yet how they ended. Each is shown with its ' +
        'evidence and the possible decisions. Works whether or not the bridge is running.',
    )
    .option('--check', 'Let the running bridge check with the terminal first. No amount is sent.')
    .option('--json', 'Print one JSON object instead.')
    .addHelpText(
      'after',
      '\nExample:\n  $ tillbridge doubts --check\n  $ tillbridge resolve A-1001 --outcome charged …',
    )
    .action((options: DoubtsOptions) =>
      runAction(() =>
        onDataDir(options, context, async (dataDir) => {
          const journals = journalChoice(options);
          if (options.check === true) await checkTerminals(dataDir, journals, context);
          return await listOpenItems(doubts, dataDir, journals, options.json === true, context);
        }),
      ),
    );
};

/** Says on standard error what came of it, so that the list stays as it is for programs. */
async function checkTerminals(dataDir: string, journals: JournalChoice, context: CliContext): Promise<void> {
  for (const { folder, description } of findJournals(dataDir, journals)) {
    const reply = await sendControlRequest(folder, { ask: 'check_terminal' }, context.clock);
    context.error(oneLine(`${capital(description)}: ${checkText(reply)}`));
  }
}

function checkText(reply: ControlResult): string {
  if (reply.kind === 'failed') return reply.message;
  if (reply.kind === 'no_bridge') {
    return 'no bridge is running on it, so the terminal was not checked. Start the bridge, or decide without the terminal.';
  }
  const { answer } = reply;
  if (answer.answer !== 'terminal_checked') return otherAnswer(answer);
  const { kind, text } = answer.check;
  return `${checkResults[kind]} ${text}`.trimEnd();
}

const checkResults: Record<TerminalCheck['kind'], string> = {
  answered: 'the terminal has answered.',
  other_terminal: 'another terminal has answered.',
  attention: 'the terminal has answered, but needs attention first.',
  busy: 'the terminal has answered, but is still at work.',
  silent: 'the terminal was asked.',
  not_connected: 'the terminal could not be asked.',
  still_asking: 'the terminal has not answered yet; the bridge keeps asking.',
};

const doubts: ItemKind<InDoubtView> = {
  ...doubtItems,
  count({ length }) {
    if (length === 0) return 'nothing is in doubt.';
    return `${length} ${length === 1 ? 'operation is' : 'operations are'} in doubt.`;
  },
  describe: describeDoubt,
  beside: openDiscrepancies,
};

function describeDoubt(
  doubt: InDoubtView,
  bridge: 'running' | 'stopped',
  { dataDir }: JournalLocation,
): string {
  const outcomes = doubt.resolutions.join('|');
  const checks = `the bridge checks with the terminal ${bridge === 'running' ? 'as soon as it can' : 'when it is started'}`;
  const state = doubt.retired === true ? retiredText : doubt.needsDecision ? 'someone has to decide' : checks;
  return [
    `  ${describeOperation(doubt)}, started ${doubt.startedAt}`,
    `    operation: ${doubt.operationId}`,
    ...(doubt.reason === '' ? [] : [`    why:       ${doubt.reason}`]),
    `    now:       ${state}`,
    '    evidence:',
    ...doubt.facts.flatMap(({ seq, at, event }) => {
      const again = doubt.repeats?.find((repeat) => repeat.seq === seq);
      return [
        `      ${at}  ${eventMessage(event)}`,
        ...(again === undefined
          ? []
          : [`      ${again.lastAt}  The same again, ${timesText(again.count)} in all.`]),
      ];
    }),
    ...(doubt.otherTerminal === undefined
      ? []
      : [`    terminal:  ${otherTerminalText(doubt.otherTerminal)}`]),
    doubt.terminalSeenIdle
      ? '    to decide:'
      : '    to decide (once the terminal is idle; add --terminal-unreachable if it cannot be reached):',
    `      ${commandOn(dataDir, `resolve ${doubt.operationId}`)} --outcome ${outcomes} --by NAME --reason TEXT`,
  ]
    .map(oneLine)
    .join('\n');
}

const retiredText =
  'someone has to decide: the terminal is no longer in the configuration, so nothing asks it; if it was renamed, it takes ' +
  'payments meanwhile. Give it its old name again, or decide';

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Whoever looks for what is open must not take "nothing is in doubt" for all of it. */
async function openDiscrepancies(place: JournalLocation, clock: Clock): Promise<string | null> {
  const found = await readOpenItems(place, discrepancyItems, clock);
  if (!found.ok) return `  ${oneLine(found.message)}`;
  if (found.items.length === 0) return null;
  const { length } = found.items;
  return `  ${length} ${length === 1 ? 'discrepancy is' : 'discrepancies are'} open as well: see "${commandOn(place.dataDir, 'discrepancies')}".`;
}
