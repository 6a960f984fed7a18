/** All terminals at a glance, what needs somebody first; a press shows the page of another one. */
import { useTranslation } from 'react-i18next';
import type { ConsoleState, OtherTerminalState } from '../../../contract/console/index.ts';
import { terminalWord } from '../../situation/terminal-words.ts';
import { stateOf, terminalChoice, terminalNames } from '../../store/chosen-terminal.ts';
import { useConsoleState, useView } from '../../store/console-context.tsx';
import { useTerminalName } from '../../store/terminal-context.tsx';
import { connectionShape, Mark, statusShape, type Shape } from '../status-mark.tsx';
import { useTerminalTitle } from './terminal-title.tsx';
import './terminal-choice.css';

export function TerminalOverview() {
  const { t } = useTranslation();
  const state = useConsoleState();
  const { connected } = useView();
  const chosen = useTerminalName();
  const titleOf = useTerminalTitle();
  const names = terminalNames(state);
  if (names.length === 1) return null;
  const rows = names.map((name) => ({ name, ...conditionOf(state, name) }));
  return (
    <ul className="terminal-overview" aria-label={t('terminals.title')}>
      {rows
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ name, condition, word, shape }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === chosen}
              data-terminal={name}
              data-condition={connected ? condition : 'unknown'}
              onClick={() => terminalChoice.choose(name)}
            >
              <Mark shape={connected ? shape : connectionShape(null)} />
              <span>
                <strong>{titleOf(name)}</strong>
                <span className="terminal-condition">{connected ? t(word) : t('app.unknown')}</span>
              </span>
            </button>
          </li>
        ))}
    </ul>
  );
}

/** From the one that needs somebody first to the one that needs nobody. A payment changes no place in it. */
const ranks = ['in_doubt', 'held', 'attention', 'lost', 'recovering', 'waiting', 'fine', 'retired'] as const;
type Condition = (typeof ranks)[number];

const ofConnection = {
  attention: 'attention',
  lost: 'lost',
  recovering: 'recovering',
  stopped: 'waiting',
  connecting: 'waiting',
  preparing: 'waiting',
  ready: 'fine',
  operating: 'fine',
} as const satisfies Record<OtherTerminalState['terminal']['connection'], Condition>;

function conditionOf(all: ConsoleState, name: string) {
  const { terminal, doubts, journal, salesHeld, heldElsewhere } = stateOf(all, name);
  const isRetired = all.otherTerminals?.some((other) => other.name === name && other.retired) === true;
  const known = (condition: Condition, word: Word, shape: Shape) => ({
    condition,
    word,
    shape,
    rank: ranks.indexOf(condition),
  });
  if (doubts.length > 0) return known('in_doubt', 'status.unknown', statusShape('unknown'));
  if (!journal.writable || salesHeld) return known('held', 'till.noCards', statusShape('failed'));
  if (isRetired) return known('retired', 'terminals.retired', connectionShape('stopped'));
  if (heldElsewhere !== null) return known('held', 'till.noCards', statusShape('failed'));
  if (terminal === null) return known('waiting', 'terminal.none', connectionShape(null));
  const { connection } = terminal;
  const word: Word = `terminal.connection.${terminalWord(terminal)}`;
  return known(ofConnection[connection], word, connectionShape(connection));
}

type Word =
  | 'status.unknown'
  | 'till.noCards'
  | 'terminals.retired'
  | 'terminal.none'
  | `terminal.connection.${ReturnType<typeof terminalWord>}`;
