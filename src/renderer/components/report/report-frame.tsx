/** What every report has: the way back, a title, what can be done with it, and on paper where and when it was made. */
import { ArrowLeft, FileSpreadsheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileRequest } from '../../../contract/console/index.ts';
import { mainTerminal } from '../../../contract/terminal-name.ts';
import { Button } from '../button.tsx';
import { PrintActions } from '../print-actions.tsx';
import { SavedNote, useSave } from '../saved-note.tsx';
import { useFormats } from '../../messages/formats.ts';
import { OfTerminal, useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { OnTerminal, useTerminalTitle } from '../terminal-choice/index.ts';
import './report.css';

interface ReportFrameProps {
  title: string;
  /** Below the title: what it is of. */
  of: ReactNode;
  /** The name of the terminal that it is of, as `PaymentView.onTerminal` has it. */
  terminal: string | undefined;
  back: { href: string; label: string };
  /** What chooses another one. */
  choice?: ReactNode;
  /** Null as long as there is nothing to be saved. */
  table: FileRequest | null;
  /** Without its end, and without the terminal. */
  fileName: string;
  children: ReactNode;
}

export function ReportFrame({
  title,
  of,
  terminal = mainTerminal,
  back,
  choice,
  table,
  fileName,
  children,
}: ReportFrameProps) {
  const { t } = useTranslation();
  return (
    <div className="report">
      <nav aria-label={t('report.way')}>
        <a className="button button-quiet page-back" href={back.href}>
          <ArrowLeft aria-hidden="true" />
          <span>{back.label}</span>
        </a>
      </nav>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="calm">{of}</p>
          {choice === undefined && <OnTerminal name={terminal} />}
        </div>
        <div className="toolbar report-tools">
          {choice}
          {table !== null && (
            <div className="report-actions">
              <PrintActions fileName={terminal === mainTerminal ? fileName : `${fileName}-${terminal}`} />
              <TableButton table={table} />
            </div>
          )}
        </div>
      </header>
      <OfTerminal name={terminal}>
        <PaperHead />
      </OfTerminal>
      {children}
    </div>
  );
}

function TableButton({ table }: { table: FileRequest }) {
  const { t } = useTranslation();
  const file = useSave();
  return (
    <>
      <Button
        icon={<FileSpreadsheet aria-hidden="true" />}
        busy={file.busy}
        onClick={() => void file.save(table)}
      >
        {t('report.saveTable')}
      </Button>
      <SavedNote saved={file.saved} />
    </>
  );
}

/** Nobody sees the window around a sheet of paper. */
function PaperHead() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { terminal, version } = useTerminalState();
  const title = useTerminalTitle()(useTerminalName());
  const id = terminal?.terminal?.terminalId ?? null;
  return (
    <div className="report-paper-head">
      {terminal?.simulated === true && <p className="stamp">{t('receipt.simulator')}</p>}
      <p>
        {title !== null && `${title} · `}
        {id !== null && `${t('terminal.id', { id })} · `}
        {t('report.made', { at: formats.dateTime(new Date().toISOString()), version })}
      </p>
    </div>
  );
}

/** A part of a report; without content it says so in a word. */
export function ReportSection({
  title,
  empty = false,
  children,
}: {
  title: string;
  empty?: boolean;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <section className="report-section" data-empty={empty}>
      <h2>{title}</h2>
      {empty ? <p className="calm">{t('report.none')}</p> : children}
    </section>
  );
}

/** Of a long list only the beginning is shown; the table has all of it. */
export function LeftOut({ count, shown }: { count: number; shown: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (count <= shown) return null;
  return <p className="calm">{t('report.leftOut', { number: formats.number(count - shown) })}</p>;
}
