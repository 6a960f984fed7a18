/** The log as a file, and the bundle for support. */
import { Download, LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogFilter } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { SavedNote, useSave } from '../../components/saved-note.tsx';
import { BundleDialog } from '../../components/support-bundle.tsx';

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
