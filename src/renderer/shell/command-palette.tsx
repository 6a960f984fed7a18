/** The command palette: a page, an action that is possible now, or a payment by its reference, by a few letters. */
import { useQueries } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takenMinor, type PaymentView } from '../../contract/console/index.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { statusShape, Mark } from '../components/status-mark.tsx';
import { useFormats } from '../messages/formats.ts';
import { useRefusalMessage } from '../messages/i18n.ts';
import { useTerminalTitle } from '../components/terminal-choice/index.ts';
import { ofTerminal, terminalNames } from '../store/chosen-terminal.ts';
import { useClient, useView } from '../store/console-context.tsx';
import { fetchMethod } from '../store/queries.ts';
import { goTo } from '../store/route.ts';
import { useChosenTerminal } from '../store/terminal-context.tsx';
import { useCommands, type Command } from './use-commands.ts';
import './command-palette.css';

/** So many letters of a reference are looked for. */
const minReferenceLength = 2;
/** So many payments are shown of the chosen terminal, and of each other one. */
const maxPayments = 5;
const maxElsewhere = 2;
/** So many are looked through for the one whose whole reference is asked for. */
const maxFound = 20;

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const refusalMessage = useRefusalMessage();
  const commands = useCommands(refusalMessage);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  // After the dialog has opened, which puts it on its first button.
  useLayoutEffect(() => input.current?.focus(), []);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [asked, setAsked] = useState<Command | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const payments = usePayments(text.trim());

  const wanted = text.trim().toLowerCase();
  const shown = [...commands.filter(({ label }) => label.toLowerCase().includes(wanted)), ...payments];
  const current = Math.min(chosen, shown.length - 1);

  const perform = async (command: Command) => {
    if (busy) return;
    setBusy(true);
    const refused = await command.run();
    setBusy(false);
    if (refused === null) onClose();
    else setProblem(refused);
  };
  const choose = (command: Command | undefined) => {
    if (command === undefined) return;
    setProblem(null);
    if (command.question === undefined) void perform(command);
    else setAsked(command);
  };
  const note = (
    <p className="note note-bad" role="alert" hidden={problem === null}>
      {problem}
    </p>
  );

  if (asked !== null) {
    return (
      <Dialog
        // Another dialog, so that the browser moves the focus into it.
        key="question"
        title={asked.label}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{t('app.back')}</Button>
            <Button look="danger" busy={busy} onClick={() => void perform(asked)}>
              {asked.label}
            </Button>
          </>
        }
      >
        <p>{asked.question}</p>
        {note}
      </Dialog>
    );
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      const next = (current + step + shown.length) % shown.length;
      setChosen(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(shown[current]);
    }
  };
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-label={t('palette.search')}
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `${listId}-${current}` : undefined}
        placeholder={t('palette.search')}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        ref={input}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      {note}
      <ul className="palette-list" id={listId} role="listbox" tabIndex={-1} aria-label={t('palette.title')}>
        {shown.map((command, index) => (
          <li
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => choose(command)}
            onMouseMove={() => setChosen(index)}
          >
            {command.mark}
            <span>{command.label}</span>
            <span className="calm">{command.hint}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="calm">
        {shown.length === 0 && t('palette.nothing')}
      </p>
    </Dialog>
  );
}

/**
 * The payments whose reference begins so, as commands that open them: first the one that was asked for by its whole
 * reference, wherever it was paid, then those on the terminal that this window shows.
 */
function usePayments(text: string): Command[] {
  const { t } = useTranslation();
  const { money } = useFormats();
  const titleOf = useTerminalTitle();
  const client = useClient();
  const chosen = useChosenTerminal();
  const request = { filter: { span: null, status: null, text }, before: null, limit: maxFound };
  const { state } = useView();
  const all = state === null ? [] : terminalNames(state);
  const names = [chosen, ...all.filter((name) => name !== chosen)];
  const found = useQueries({
    queries: names.map((name) => ({
      queryKey: ['palette', name, text],
      queryFn: () => fetchMethod(client, 'payments', { ...request, ...ofTerminal(name) }),
      enabled: text.length >= minReferenceLength,
    })),
  });
  if (text.length < minReferenceLength) return [];
  const isWhole = ({ reference }: PaymentView) => reference.toLowerCase() === text.toLowerCase();
  const payments = found.map(({ data }) => data?.payments ?? []);
  const whole = payments.flatMap((ofOne) => ofOne.filter(isWhole));
  const begun = payments.flatMap((ofOne, index) =>
    ofOne.filter((payment) => !isWhole(payment)).slice(0, index === 0 ? maxPayments : maxElsewhere),
  );
  return [...whole, ...begun].map((payment) => ({
    id: payment.transactionId,
    label: [payment.reference, money(takenMinor(payment), payment.currency), titleOf(payment.onTerminal)]
      .filter((part) => part !== null)
      .join(' · '),
    hint: t(`status.${payment.status}`),
    mark: <Mark shape={statusShape(payment.status)} />,
    run: () => {
      goTo('payments', payment.transactionId);
      return Promise.resolve(null);
    },
  }));
}
