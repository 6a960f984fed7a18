/** The buttons that put on paper what the page shows. */
import { FileDown, Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConsoleState } from '../store/console-context.tsx';
import { SavedNote, useSave } from './saved-note.tsx';
import { Button } from './button.tsx';

/** `fileName` is without its ending. A browser's own print dialog saves PDF files; the desktop app has a button for it. */
export function PrintActions({ fileName }: { fileName: string }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  const pdf = useSave();
  return (
    <div className="print-actions">
      <Button look="primary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
        {t(host === 'desktop' ? 'print.print' : 'print.printOrSave')}
      </Button>
      {host === 'desktop' && (
        <Button
          icon={<FileDown aria-hidden="true" />}
          busy={pdf.busy}
          onClick={() => void pdf.save({ kind: 'page_pdf', name: safeName(fileName) })}
        >
          {t('print.savePdf')}
        </Button>
      )}
      <SavedNote saved={pdf.saved} />
    </div>
  );
}

/** A reference may hold what no file name can. */
function safeName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100);
}
