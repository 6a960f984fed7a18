/** The situation in large words, with what to do about it. */
import { OctagonAlert, Settings, Unplug } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import type { ListenerState, TerminalState } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { ConnectionMessage } from '../../components/notices.tsx';
import {
  connectionShape,
  listenerShape,
  Mark,
  statusShape,
  type Shape,
} from '../../components/status-mark.tsx';
import { href } from '../../store/route.ts';
import { ListenerSwitch, useListenerMessage } from '../../components/listener.tsx';
import { canBeAsked } from '../../../notifications/index.ts';
import { ResolveDialog } from '../../components/decisions/resolve-dialog.tsx';
import { type Cancel, OperationView } from './operation-view.tsx';
import { ResultView } from './result-view.tsx';
import { useSaid } from '../../components/said.tsx';
import type { Situation } from '../../situation/situation.ts';
import { terminalWord } from '../../situation/terminal-words.ts';
import { WhyLink } from '../../components/why-link.tsx';
import { useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { NextTry } from '../../components/next-try.tsx';
import { BridgeText } from '../../components/bridge-text.tsx';

const bad: Shape = { icon: OctagonAlert, tone: 'bad' };

export function SituationView({ situation, cancel }: { situation: Situation; cancel: Cancel }) {
  const { t } = useTranslation();
  switch (situation.kind) {
    case 'operation':
      return (
        <OperationView
          currentOperation={situation.currentOperation}
          terminal={situation.terminal}
          cancel={cancel}
        />
      );
    case 'in_doubt':
      return <InDoubtNotice inDoubt={situation.inDoubt} terminal={situation.terminal} />;
    case 'disconnected':
      return (
        <Large
          shape={{ icon: Unplug, tone: 'bad' }}
          title={t('till.disconnected')}
          bannerSays
          text={
            situation.shutOut === null ? (
              t('till.disconnectedText')
            ) : (
              <ConnectionMessage shutOut={situation.shutOut} />
            )
          }
        />
      );
    case 'result':
      return (
        <ResultView key={situation.ended.operationId} ended={situation.ended} payment={situation.payment} />
      );
    case 'bridge': {
      const { bridge } = situation;
      if (bridge.kind === 'failed') {
        return (
          <Large
            shape={bad}
            title={t('till.noCards')}
            text={
              <>
                {t('bridge.failedNext')}
                <NextTry at={bridge.nextTryAt} />
              </>
            }
            own={bridge.text}
          >
            <SettingsLink />
          </Large>
        );
      }
      const starting = bridge.kind === 'starting';
      return (
        <Large
          shape={connectionShape(starting ? 'connecting' : 'stopped')}
          title={t(starting ? 'till.oneMoment' : 'till.noCards')}
          text={t(starting ? 'bridge.starting' : 'bridge.stopped')}
        />
      );
    }
    case 'journal':
      return (
        <Large
          shape={bad}
          title={t('till.noCards')}
          text={t(situation.damaged ? 'till.journalDamaged' : 'till.journalNotWritable')}
          own={situation.text}
        />
      );
    case 'held':
      return <HeldNotice by={situation.by} />;
    case 'terminal':
      return <TerminalNotice terminal={situation.terminal} />;
    case 'listener':
      return <ListenerNotice listener={situation.listener} />;
    case 'ready':
      return <ReadyNotice />;
  }
}

/** One shape, one large word, one sentence; the bridge's own sentence (English) where it knows more. */
function Large({
  shape,
  title,
  text,
  own = null,
  bannerSays = false,
  children,
}: {
  shape: Shape;
  title: string;
  text: ReactNode;
  own?: string | null;
  /** The title is what a banner says as well, at the same moment. */
  bannerSays?: boolean;
  children?: ReactNode;
}) {
  // Neither ready nor about to be.
  const offersWhy = shape.tone !== 'good' && shape.tone !== 'busy';
  useSaid([!bannerSays && title, typeof text === 'string' && text]);
  return (
    <div className="till-large">
      <Mark shape={shape} large />
      <div>
        <p className="till-title">{title}</p>
        <p className="till-text">{text}</p>
        {own !== null && (
          <p className="till-own">
            <BridgeText text={own} />
          </p>
        )}
      </div>
      {(children !== undefined || offersWhy) && (
        <div className="till-actions">
          {children}
          {offersWhy && <WhyLink />}
        </div>
      )}
    </div>
  );
}

function HeldNotice({ by }: { by: string | null }) {
  const { t } = useTranslation();
  const terminal = useTerminalTitle()(by ?? undefined);
  const text = by === null ? t('till.held') : t('till.heldElsewhere', { terminal });
  return <Large shape={bad} title={t('till.noCards')} text={text} />;
}

function ReadyNotice() {
  const { t } = useTranslation();
  return (
    <Large
      shape={connectionShape('ready')}
      title={t('terminal.connection.ready')}
      text={t('terminal.next.ready')}
    />
  );
}

function TerminalNotice({ terminal }: { terminal: TerminalState }) {
  const { t } = useTranslation();
  const { connection, requiredAction, text } = terminal;
  const word = terminalWord(terminal);
  // Nothing is in doubt here, so that only the bridge's own sentence tells what the terminal is asked for.
  const knowsMore = connection === 'attention' || connection === 'lost' || connection === 'recovering';
  return (
    <Large
      shape={connectionShape(connection)}
      title={t(`till.terminal.${word}`)}
      text={t(`terminal.next.${word}`)}
      own={knowsMore ? text : null}
    >
      {word === 'lost' && <SettingsLink />}
      {word === 'setting' && <SettingsLink primary />}
      {word === 'attention' && requiredAction === 'batch_close' && (
        <a className="button button-primary" href={href('batches')}>
          <span>{t('batches.close')}</span>
        </a>
      )}
    </Large>
  );
}

function ListenerNotice({ listener }: { listener: Exclude<ListenerState, { kind: 'on' }> }) {
  const { t } = useTranslation();
  const { text } = useListenerMessage(listener);
  return (
    <Large
      shape={listenerShape(listener.kind)}
      title={t(`till.listener.${listener.kind}`)}
      text={
        <>
          {text}
          <NextTry at={listener.kind === 'failed' ? listener.nextTryAt : undefined} />
        </>
      }
    >
      {listener.kind === 'off' && <ListenerSwitch />}
      {listener.kind === 'failed' && (
        <>
          <ListenerSwitch />
          <a className="button button-plain" href={href('settings')}>
            <Settings aria-hidden="true" />
            <span>{t('listener.changePort')}</span>
          </a>
        </>
      )}
    </Large>
  );
}

function InDoubtNotice({ inDoubt, terminal }: { inDoubt: InDoubtView; terminal: TerminalState | null }) {
  const { t } = useTranslation();
  const [resolving, setResolving] = useState(false);
  const { needsDecision } = inDoubt;
  const cutOff = !canBeAsked(terminal);
  const reference = inDoubt.reference ?? '';
  const next = cutOff ? 'till.inDoubtDisconnected' : 'till.inDoubtRecovering';
  return (
    <Large
      shape={needsDecision || cutOff ? statusShape('unknown') : connectionShape('recovering')}
      title={t(needsDecision || cutOff ? `till.inDoubtTitle.${inDoubt.kind}` : 'till.inDoubtChecking')}
      text={
        needsDecision
          ? t(`till.inDoubtDecision.${inDoubt.kind}`, { reference })
          : t(next, { what: t(`operation.${inDoubt.kind}`), reference })
      }
    >
      <Button look="primary" onClick={() => setResolving(true)}>
        {t('banner.resolve')}
      </Button>
      {resolving && <ResolveDialog operationId={inDoubt.operationId} onClose={() => setResolving(false)} />}
    </Large>
  );
}

function SettingsLink({ primary = false }: { primary?: boolean }) {
  const { t } = useTranslation();
  return (
    <a className={`button ${primary ? 'button-primary' : 'button-plain'}`} href={href('settings')}>
      <Settings aria-hidden="true" />
      <span>{t('till.checkSettings')}</span>
    </a>
  );
}
