/** Who has decided by hand how a payment ended, when, and why. */
import { Gavel } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ManualDecision } from '../../../contract/console/index.ts';
import { Time } from '../time.tsx';
import './decisions.css';

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
