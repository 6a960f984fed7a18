/** The zip for support, and what is said of a file that was saved. Offered wherever somebody may need help. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileRequest, SavedFile } from '../../contract/console/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useClient } from '../store/console-context.tsx';
import { errorText } from '../../base/error-text.ts';

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

export function SavedNote({ saved }: { saved: SavedFile | null }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      {saved?.kind === 'saved' && (
        <p className="note note-good">{t('app.savedFile', { name: saved.name })}</p>
      )}
      {saved?.kind === 'failed' && (
        <p className="note note-bad">{t('app.notSaved', { reason: saved.message })}</p>
      )}
    </div>
  );
}

export function useSave(): {
  busy: boolean;
  saved: SavedFile | null;
  save: (request: FileRequest) => Promise<void>;
} {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState<SavedFile | null>(null);
  const save = async (request: FileRequest) => {
    setBusy(true);
    setSaved(null);
    try {
      setSaved(await client.save(request));
    } catch (error) {
      setSaved({ kind: 'failed', message: errorText(error) });
    }
    setBusy(false);
  };
  return { busy, saved, save };
}
