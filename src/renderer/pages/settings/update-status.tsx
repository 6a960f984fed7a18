/** What is known of newer versions, in a sentence or two; and what is new in one. */
import { CircleArrowUp, CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../contract/console/index.ts';
import { Mark, type Shape } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useConsoleState } from '../../store/console-context.tsx';

type Step = UpdateState['step'];

const shapes: Record<Step['kind'], Shape> = {
  waiting: { icon: CircleDashed, tone: 'calm' },
  current: { icon: CircleCheck, tone: 'good' },
  available: { icon: CircleArrowUp, tone: 'busy' },
  downloading: { icon: LoaderCircle, tone: 'busy', turns: true },
  ready: { icon: CircleArrowUp, tone: 'busy' },
  installing: { icon: LoaderCircle, tone: 'busy', turns: true },
  refused: { icon: TriangleAlert, tone: 'warn' },
};

export function UpdateStatus() {
  const { t } = useTranslation();
  const { update } = useConsoleState();
  if (update === undefined) return <p>{t('settings.updates.off')}</p>;
  const { step, checkedAt } = update;
  const notes = 'release' in step ? step.release.notes : (update.news?.notes ?? null);
  return (
    <div className="update-status" role="status">
      <Mark shape={shapes[step.kind]} />
      <StepWords step={step} />
      {checkedAt !== null && (
        <p className="calm">
          {t('settings.updates.checked')} <Time at={checkedAt} show="dateTime" />
        </p>
      )}
      {notes !== null && notes !== '' && (
        <details>
          <summary>{t('settings.updates.notes')}</summary>
          <p className="update-notes">{notes}</p>
        </details>
      )}
    </div>
  );
}

function StepWords({ step }: { step: Step }) {
  const { t } = useTranslation();
  const { version } = useConsoleState();
  if (step.kind === 'refused') return <p>{t(`settings.updates.refused.${step.reason}`)}</p>;
  if (!('release' in step)) return <p>{t(`settings.updates.step.${step.kind}`, { version })}</p>;
  const { version: next } = step.release;
  const byHand = step.kind === 'available' && step.byHand;
  return (
    <p>
      <strong>{t(`update.step.${step.kind}`, { version: next })}</strong>
      {byHand && ` ${t('settings.updates.byHand')}`}
    </p>
  );
}
