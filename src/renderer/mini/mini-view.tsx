/** The small window: the payment in hand for whoever looks at the POS, in one glance; and Cancel. */
import { ExternalLink, OctagonAlert, Unplug, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takenMinor, type CurrentOperation, type TerminalState } from '../../contract/console/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { canBeAsked } from '../../notifications/index.ts';
import { Button } from '../components/button.tsx';
import { MiddleCut } from '../components/middle-cut.tsx';
import {
  connectionShape,
  listenerShape,
  Mark,
  outcomeShape,
  statusShape,
  type Shape,
} from '../components/status-mark.tsx';
import { Said, useSaid } from '../components/said.tsx';
import { useFormats } from '../messages/formats.ts';
import { useRefusalMessage } from '../messages/i18n.ts';
import { CancelButton, useCancel, type Cancel } from '../pages/till/operation-view.tsx';
import { useCustomerStep } from '../situation/customer-step.ts';
import { situationOf, type Situation } from '../situation/situation.ts';
import { terminalWord } from '../situation/terminal-words.ts';
import { useTerminalTitle } from '../components/terminal-choice/index.ts';
import { stateOf, terminalNames } from '../store/chosen-terminal.ts';
import { OfTerminal } from '../store/terminal-context.tsx';
import { useShownTerminal } from './shown-terminal.ts';
import { useFreshResult, useView } from '../store/console-context.tsx';
import './mini.css';

interface MiniViewProps {
  /** Shows the console itself at this place of it. */
  onOpen: (place: string) => void;
  /** Null where the window cannot be closed from here. */
  onClose: (() => void) | null;
}

/** So long Cancel waits after another terminal has come into view. */
const settleMs = 800;

/** A region of its own; the document around it is the small window's. */
export function MiniView(props: MiniViewProps) {
  const { state } = useView();
  const names = state === null ? [mainTerminal] : terminalNames(state);
  const [cancelling, setCancelling] = useState<ReadonlySet<string>>(new Set());
  const shown = useShownTerminal(cancelling);
  const onCancelling = useCallback((name: string, isSo: boolean) => {
    setCancelling(
      (before) => new Set([...before].filter((other) => other !== name).concat(isSo ? name : [])),
    );
  }, []);
  // What became of a cancel is kept for each, also while another one is shown.
  return names.map((name) => (
    <OfTerminal key={name} name={name}>
      <MiniOfTerminal terminal={name} shown={name === shown} onCancelling={onCancelling} {...props} />
    </OfTerminal>
  ));
}

interface MiniOfTerminalProps extends MiniViewProps {
  terminal: string;
  shown: boolean;
  /** Told when somebody waits for the answer to a cancel, or has not read it yet; and when that is over. */
  onCancelling: (terminal: string, isSo: boolean) => void;
}

function MiniOfTerminal({ terminal, shown, onCancelling, onOpen, onClose }: MiniOfTerminalProps) {
  const { t } = useTranslation();
  const view = useView();
  const state = view.state === null ? null : stateOf(view.state, terminal);
  const title = useTerminalTitle()(terminal);
  const fresh = useFreshResult(terminal);
  const cancel = useCancel();
  const isCancelling = cancel.action.busy || cancel.action.refusal !== null;
  useEffect(() => onCancelling(terminal, isCancelling), [onCancelling, terminal, isCancelling]);
  const locked = useLocked(shown && state?.otherTerminals !== undefined);
  if (!shown) return null;
  const situation = state === null ? null : situationOf({ ...view, state }, fresh);
  const headline = situation === null ? null : headlineOf(situation);
  return (
    <main className="mini" data-situation={situation?.kind ?? 'none'} data-tone={headline?.shape.tone}>
      {state?.terminal?.simulated === true && <p className="mini-simulator">{t('banner.simulator')}</p>}
      {title !== null && <p className="mini-terminal">{title}</p>}
      <div className="mini-body">
        <Said>
          {situation === null || headline === null ? (
            <p className="mini-title">{t(view.connected ? 'app.loading' : 'connection.lost')}</p>
          ) : situation.kind === 'operation' ? (
            <Operation {...situation} cancel={cancel} locked={locked} />
          ) : (
            <Headline situation={situation} headline={headline} onOpen={onOpen} />
          )}
        </Said>
        <Refusal cancel={cancel} currentOperation={state?.currentOperation ?? null} />
      </div>
      {onClose !== null && (
        <button type="button" className="icon-button mini-close" title={t('app.close')} onClick={onClose}>
          <X aria-hidden="true" />
          <span className="visually-hidden">{t('app.close')}</span>
        </button>
      )}
    </main>
  );
}

/** True for a moment after the terminal has come into view: the finger may be on the way to another one's button. */
function useLocked(cameIntoView: boolean): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!cameIntoView) return;
    const timer = setTimeout(() => setSettled(true), settleMs);
    return () => {
      clearTimeout(timer);
      setSettled(false);
    };
  }, [cameIntoView]);
  return cameIntoView && !settled;
}

function Operation({
  currentOperation,
  terminal,
  cancel,
  locked,
}: {
  currentOperation: CurrentOperation;
  terminal: TerminalState | null;
  cancel: Cancel;
  locked: boolean;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { shape, text, silent } = useCustomerStep(currentOperation, terminal);
  const { kind, reference, amountMinor, currency } = currentOperation;
  const step = silent ? t('mini.silent') : text;
  useSaid([step]);
  return (
    <>
      <p className="mini-what">
        {t(`operation.${kind}`)} {reference !== null && <MiddleCut text={reference} />}
      </p>
      {amountMinor !== null && <Amount amount={formats.money(amountMinor, currency)} />}
      <p className="mini-step">
        <Mark shape={silent ? statusShape('unknown') : shape} />
        <span>{step}</span>
      </p>
      <CancelButton currentOperation={currentOperation} cancel={cancel} locked={locked} />
    </>
  );
}

interface HeadlineWords {
  shape: Shape;
  title: ReturnType<typeof titleKey>;
  /** Where a person does something about it; null where nothing is needed. */
  place: string | null;
}

function Headline({
  situation,
  headline: { shape, title, place },
  onOpen,
}: {
  situation: Situation;
  headline: HeadlineWords;
  onOpen: (place: string) => void;
}) {
  const { t } = useTranslation();
  const payment = situation.kind === 'result' ? situation.payment : null;
  const reference =
    payment?.reference ?? (situation.kind === 'in_doubt' ? situation.inDoubt.reference : null);
  const formats = useFormats();
  const amount = payment === null ? null : formats.money(takenMinor(payment), payment.currency);
  useSaid([amount === null ? t(title) : `${t(title)}: ${amount}`]);
  return (
    <>
      {reference !== null && (
        <p className="mini-what">
          <MiddleCut text={reference} />
        </p>
      )}
      <p className={`mini-title tone-${shape.tone}`}>
        <Mark shape={shape} large />
        <span>{t(title)}</span>
      </p>
      {amount !== null && <Amount amount={amount} />}
      {place !== null && (
        <p>
          <Button icon={<ExternalLink aria-hidden="true" />} onClick={() => onOpen(place)}>
            {t('tray.open')}
          </Button>
        </p>
      )}
    </>
  );
}

function Amount({ amount }: { amount: string }) {
  return (
    <p className="mini-amount" style={{ '--characters': amount.length }}>
      {amount}
    </p>
  );
}

/** Why it was not cancelled; gone with the next payment, or when somebody has read it. */
function Refusal({
  cancel,
  currentOperation,
}: {
  cancel: Cancel;
  currentOperation: CurrentOperation | null;
}) {
  const { t } = useTranslation();
  const refusalMessage = useRefusalMessage();
  const { action, reference } = cancel;
  const isPast = currentOperation !== null && currentOperation.reference !== reference;
  return (
    <div role="alert">
      {action.refusal !== null && reference !== null && !isPast && (
        <p className="note note-warn">
          <strong>{t('till.notCancelled', { reference })}</strong>{' '}
          {action.refusal.code === 'cancel_too_late'
            ? t('till.cancelTooLate')
            : refusalMessage(action.refusal)}
          <Button look="quiet" onClick={action.clear}>
            {t('app.close')}
          </Button>
        </p>
      )}
    </div>
  );
}

const bad: Shape = { icon: OctagonAlert, tone: 'bad' };
const help = '#/help';

function headlineOf(situation: Situation): HeadlineWords {
  const title = titleKey(situation);
  switch (situation.kind) {
    case 'disconnected':
      return { shape: { icon: Unplug, tone: 'bad' }, title, place: null };
    case 'in_doubt': {
      const waits = situation.inDoubt.needsDecision || !canBeAsked(situation.terminal);
      const shape = waits ? statusShape('unknown') : connectionShape('recovering');
      return { shape, title, place: '#/till?open=items' };
    }
    case 'result':
      return { shape: outcomeShape(situation.ended.outcome), title, place: null };
    case 'bridge': {
      const { kind } = situation.bridge;
      const isStarting = kind === 'starting';
      return {
        shape: kind === 'failed' ? bad : connectionShape(isStarting ? 'connecting' : 'stopped'),
        title,
        place: isStarting ? null : help,
      };
    }
    case 'journal':
    case 'held':
      return { shape: bad, title, place: situation.kind === 'held' ? '#/till?open=items' : help };
    case 'terminal': {
      const { connection } = situation.terminal;
      const needsPerson = connection === 'lost' || connection === 'attention';
      return { shape: connectionShape(connection), title, place: needsPerson ? help : null };
    }
    case 'listener':
      return { shape: listenerShape(situation.listener.kind), title, place: help };
    case 'operation':
    case 'ready':
      return { shape: connectionShape('ready'), title, place: null };
  }
}

function titleKey(situation: Situation) {
  switch (situation.kind) {
    case 'disconnected':
      return 'till.disconnected';
    case 'in_doubt': {
      const { needsDecision, kind } = situation.inDoubt;
      return needsDecision || !canBeAsked(situation.terminal)
        ? (`till.inDoubtTitle.${kind}` as const)
        : 'till.inDoubtChecking';
    }
    case 'result':
      return `outcome.${situation.ended.outcome}` as const;
    case 'bridge':
      return situation.bridge.kind === 'starting' ? 'till.oneMoment' : 'till.noCards';
    case 'journal':
    case 'held':
      return 'till.noCards';
    case 'terminal':
      return `till.terminal.${terminalWord(situation.terminal)}` as const;
    case 'listener':
      return `till.listener.${situation.listener.kind}` as const;
    case 'operation':
    case 'ready':
      return 'terminal.connection.ready';
  }
}
