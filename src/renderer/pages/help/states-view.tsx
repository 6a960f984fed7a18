/** What each state means and what to do, with the marks that it has everywhere; and the words that come up. */
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { transactionStatusSchema } from '../../../contract/operation.ts';
import { terminalConnectionSchema } from '../../../contract/terminal.ts';
import {
  connectionShape,
  listenerShape,
  Mark,
  statusShape,
  type Shape,
} from '../../components/status-mark.tsx';

const listenerStates = ['on', 'off', 'starting', 'stopping', 'failed'] as const;
const terms = [
  'bridge',
  'inDoubt',
  'discrepancy',
  'journal',
  'record',
  'batch',
  'void',
  'reference',
  'token',
] as const;

export function StatesView() {
  const { t } = useTranslation();
  return (
    <>
      <p className="help-intro calm">{t('help.statesText')}</p>
      <States title={t('help.terminal')}>
        {terminalConnectionSchema.options.map((name) => (
          <State key={name} shape={connectionShape(name)} name={t(`terminal.connection.${name}`)}>
            {t(`terminal.next.${name}`)}
          </State>
        ))}
      </States>
      <States title={t('help.listener')}>
        {listenerStates.map((name) => (
          <State key={name} shape={listenerShape(name)} name={t(`listener.${name}`)}>
            {t(`help.listenerMeaning.${name}`)}
          </State>
        ))}
      </States>
      <States title={t('help.payment')}>
        {transactionStatusSchema.options.map((name) => (
          <State key={name} shape={statusShape(name)} name={t(`status.${name}`)}>
            {t(`statusMeaning.${name}`)} {t(`help.statusNext.${name}`)}
          </State>
        ))}
      </States>
      <States title={t('help.terms')}>
        {terms.map((name) => (
          <div className="help-state" key={name}>
            <dt>{t(`help.term.${name}.name`)}</dt>
            <dd>{t(`help.term.${name}.text`)}</dd>
          </div>
        ))}
      </States>
    </>
  );
}

function States({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card help-states">
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  );
}

function State({ shape, name, children }: { shape: Shape; name: string; children: ReactNode }) {
  return (
    <div className="help-state">
      <dt className={`tone-${shape.tone}`}>
        <Mark shape={{ icon: shape.icon, tone: shape.tone }} />
        <span>{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
