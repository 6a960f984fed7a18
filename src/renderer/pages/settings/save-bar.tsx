/** The bar that appears when something has been changed and says what saving does, and what asks before it is left. */
import { CircleCheck, RotateCcw, Save } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { holdRoute } from '../../store/route.ts';
import type { SettingsDraft } from './use-settings-draft.ts';

export function SaveBar({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { isChanged, isSaved, refusal } = draft;
  const shown = isChanged || isSaved || refusal !== null;
  const isWrong = Object.keys(draft.problems).length > 0;
  // It comes up over what somebody is just changing.
  useEffect(() => {
    if (shown) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <section className="settings-bar" aria-label={t('settings.bar')} data-shown={shown}>
      <div className="settings-bar-text" role="status">
        {isChanged && (
          <p>
            <strong>{t('settings.changed')}</strong>{' '}
            {isWrong ? t('settings.wrong') : draft.restarts && t('settings.restarts')}
          </p>
        )}
        {!isChanged && isSaved && (
          <p className="settings-saved tone-good">
            <CircleCheck aria-hidden="true" />
            {t('app.saved')}
          </p>
        )}
      </div>
      <RefusedNote refusal={refusal} />
      {isChanged && (
        <div className="settings-bar-actions">
          <Button icon={<RotateCcw aria-hidden="true" />} onClick={draft.discard} disabled={draft.busy}>
            {t('settings.discard')}
          </Button>
          <Button
            look="primary"
            icon={<Save aria-hidden="true" />}
            busy={draft.busy}
            disabled={isWrong}
            onClick={() => void draft.save()}
          >
            {t('app.save')}
          </Button>
        </div>
      )}
    </section>
  );
}

export interface LeaveGuard {
  /** The address (its part from `#` on) that somebody wants to go to; null: nobody is going. */
  wanted: string | null;
  stay: () => void;
  /** Goes there now. */
  leave: () => void;
}

/**
 * `asksOnClose`: closing the browser's tab asks too, in the browser's own words. Not in the desktop's window, which is only
 * hidden when it is closed.
 */
export function useLeaveGuard(isChanged: boolean, asksOnClose: boolean): LeaveGuard {
  const [wanted, setWanted] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);

  const holds = useEffectEvent((hash: string) => {
    if (isChanged) setWanted(hash);
    return isChanged;
  });
  useEffect(() => holdRoute((hash) => holds(hash)), []);

  useEffect(() => {
    if (leaving !== null) window.location.hash = leaving;
  }, [leaving]);

  const asks = isChanged && asksOnClose;
  useEffect(() => {
    if (!asks) return;
    const listener = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', listener);
    return () => window.removeEventListener('beforeunload', listener);
  }, [asks]);

  return {
    wanted,
    stay: () => setWanted(null),
    leave() {
      setLeaving(wanted);
      setWanted(null);
    },
  };
}

export function LeaveDialog({ draft, guard }: { draft: SettingsDraft; guard: LeaveGuard }) {
  const { t } = useTranslation();
  const isWrong = Object.keys(draft.problems).length > 0;
  const saveAndLeave = async () => {
    if (await draft.save()) guard.leave();
  };
  return (
    <Dialog
      title={t('settings.leave')}
      onClose={guard.stay}
      actions={
        <>
          <Button onClick={guard.stay}>{t('settings.stay')}</Button>
          <Button
            look="danger"
            disabled={draft.busy}
            onClick={() => {
              draft.discard();
              guard.leave();
            }}
          >
            {t('settings.discard')}
          </Button>
          <Button look="primary" busy={draft.busy} disabled={isWrong} onClick={() => void saveAndLeave()}>
            {t('app.save')}
          </Button>
        </>
      }
    >
      <p>{t('settings.leaveText')}</p>
      {isWrong && <p>{t('settings.wrong')}</p>}
      {draft.restarts && !isWrong && <p>{t('settings.restarts')}</p>}
      <RefusedNote refusal={draft.refusal} />
    </Dialog>
  );
}
