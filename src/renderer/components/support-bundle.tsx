/** The zip for support. Offered wherever somebody may need help. */
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SavedNote, useSave } from './saved-note.tsx';

const parts = ['log', 'journal', 'configuration', 'computer'] as const;

export function BundleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const bundle = useSave();
  const isDone = bundle.saved?.kind === 'saved';
  return (
    <Dialog
      title={t('log.bundle')}
      onClose={onClose}
      actions={
        isDone ? (
          <Button look="primary" onClick={onClose}>
            {t('app.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('app.cancel')}</Button>
            <Button
              look="primary"
              busy={bundle.busy}
              onClick={() => void bundle.save({ kind: 'support_bundle' })}
            >
              {t('log.bundleMake')}
            </Button>
          </>
        )
      }
    >
      <p>{t('log.bundleText')}</p>
      <ul className="log-bundle-parts">
        {parts.map((part) => (
          <li key={part}>{t(`log.bundleParts.${part}`)}</li>
        ))}
      </ul>
      <p>{t('log.bundleSafe')}</p>
      {bundle.busy && (
        <label className="log-progress">
          {t('log.bundleBusy')}
          <progress />
        </label>
      )}
      <SavedNote saved={bundle.saved} />
    </Dialog>
  );
}
