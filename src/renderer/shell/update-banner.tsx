/** A newer version: told before it is installed, with the choice of now or later. */
import { CircleArrowUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentOperations } from '../../contract/console/index.ts';
import { Button } from '../components/button.tsx';
import { RefusedNote } from '../components/notices.tsx';
import { useFormats } from '../messages/formats.ts';
import { useConsoleState } from '../store/console-context.tsx';
import { useAction } from '../store/queries.ts';
import { href } from '../store/route.ts';

export function UpdateBanner() {
  return (
    <>
      <NewsBanner />
      <StepBanner />
    </>
  );
}

/** What became of the last update. */
function NewsBanner() {
  const { t } = useTranslation();
  const { update } = useConsoleState();
  const [dismissed, setDismissed] = useState(false);
  const news = update?.news;
  if (news === undefined || dismissed) return null;
  const { kind, version, from, file = '' } = news;
  const isGood = kind === 'installed';
  return (
    <div className={`banner ${isGood ? 'banner-calm' : 'banner-warn'}`} role={isGood ? 'status' : 'alert'}>
      {isGood ? <CircleArrowUp aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
      <span>
        {t(`update.news.${kind}`, { version, from, file })}{' '}
        {isGood && <a href={href('settings')}>{t('update.more')}</a>}
      </span>
      <Button look="quiet" onClick={() => setDismissed(true)}>
        {t('banner.dismiss')}
      </Button>
    </div>
  );
}

function StepBanner() {
  const { t } = useTranslation();
  const state = useConsoleState();
  const { update } = state;
  const act = useAction('update');
  const [dismissed, setDismissed] = useState<string | null>(null);
  const step = update?.step;
  if (step === undefined || !('release' in step)) return null;
  const { version } = step.release;
  const isOffered = step.kind === 'ready' || (step.kind === 'available' && !step.byHand);
  const waits = step.kind === 'installing' && currentOperations(state).length > 0;
  // Who has seen it need not see it again; but what happens by itself is told until then.
  if (dismissed === version && step.kind === 'available') return null;
  return (
    <div className="banner banner-calm" role="status" data-banner="update">
      <CircleArrowUp aria-hidden="true" />
      <span>
        <strong>{t(`update.step.${step.kind}`, { version })}</strong> <When />{' '}
        {waits && `${t('update.waits')} `}
        <a href={href('settings')}>{t('update.more')}</a>
      </span>
      {isOffered && (
        <Button look="primary" busy={act.busy} onClick={() => void act.run({ action: 'install' })}>
          {t('update.now')}
        </Button>
      )}
      {(step.kind === 'ready' || waits) && (
        <Button busy={act.busy} onClick={() => void act.run({ action: 'later' })}>
          {t('update.later')}
        </Button>
      )}
      {step.kind === 'available' && (
        <Button look="quiet" onClick={() => setDismissed(version)}>
          {t('banner.dismiss')}
        </Button>
      )}
      <RefusedNote refusal={act.refusal} />
    </div>
  );
}

function When() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { update } = useConsoleState();
  if (update?.step.kind !== 'ready') return null;
  const { installsAt } = update.step;
  if (installsAt === null) return t('update.byPerson');
  return t('update.at', { at: formats.dateTime(installsAt) });
}
