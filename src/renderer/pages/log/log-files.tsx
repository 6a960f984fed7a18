/** The log as a file, and the bundle for support. */
import { Download, LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileRequest, LogFilter, SavedFile } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useClient } from '../../store/console-context.tsx';
import { errorText } from '../../../base/error-text.ts';

export function LogFiles({ filter }: { filter: LogFilter }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const exported = useSave();
  return (
    <div className="log-files">
      <div className="toolbar">
        <Button
          icon={<Download aria-hidden="true" />}
          busy={exported.busy}
          onClick={() => void exported.save({ kind: 'log', filter })}
        >
          {t('log.export')}
        </Button>
        <Button icon={<LifeBuoy aria-hidden="true" />} onClick={() => setAsking(true)}>
          {t('log.bundle')}
        </Button>
      </div>
      <SavedNote saved={exported.saved} />
      {asking && <BundleDialog onClose={() => setAsking(false)} />}
    </div>
  );
}

const parts = ['log', 'journal', 'configuration', 'computer'] as const;

function BundleDialog({ onClose }: { onClose: () => void }) {
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

function SavedNote({ saved }: { saved: SavedFile | null }) {
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

function useSave(): {
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
