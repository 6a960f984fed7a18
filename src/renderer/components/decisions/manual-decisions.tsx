/** Who has decided by hand how a payment ended, when, and why. */
import { Gavel } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ManualDecision } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { Time } from '../time.tsx';
import './decisions.css';

/** In a list: that a person decided; who, when and why, for whoever stays on it and for those who hear the page. */
export function DecisionMark({ decisions }: { decisions: ManualDecision[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (decisions.length === 0) return null;
  const text = decisions
    .map(({ by, outcome, at, reason }) => {
      const title = t('decision.title', { name: by, outcome: t(`outcome.${outcome}`) });
      return `${title}, ${formats.dateTime(at)}. ${t('decision.reason', { reason })}`;
    })
    .join('\n');
  return (
    <span className="decision-mark" title={text}>
      <Gavel aria-hidden="true" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

export function ManualDecisions({ decisions }: { decisions: ManualDecision[] }) {
  const { t } = useTranslation();
  return decisions.map(({ operationId, at, by, reason, outcome, terminalUnreachable }) => (
    <div key={operationId} className="note manual-decision">
      <Gavel aria-hidden="true" />
      <div>
        <p>
          <strong>{t('decision.title', { name: by, outcome: t(`outcome.${outcome}`) })}</strong>{' '}
          <span className="calm">
            <Time at={at} show="dateTime" />
          </span>
        </p>
        <p>{t('decision.reason', { reason })}</p>
        {terminalUnreachable && <p className="calm">{t('timeline.event.terminalUnreachable')}</p>}
      </div>
    </div>
  ));
}
