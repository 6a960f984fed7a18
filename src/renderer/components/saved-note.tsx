/** Saving a file, and what became of it. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileRequest, SavedFile } from '../../contract/console/index.ts';
import { errorText } from '../../base/error-text.ts';
import { useClient } from '../store/console-context.tsx';

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
