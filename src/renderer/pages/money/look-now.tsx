/** Has the money looked for now, also after a bank's statement was handed in, and says what came of it. */
import { FileUp, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxStatementBytes } from '../../../contract/console/index.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useAction } from '../../store/queries.ts';

export function LookNow() {
  const { t } = useTranslation();
  const look = useAction('lookForMoney');
  const keep = useAction('keepStatement');
  const input = useRef<HTMLInputElement>(null);
  /** Sentences about the statements that were handed in last. */
  const [kept, setKept] = useState<readonly string[]>([]);
  /** What was left out of the statements; null: nothing was looked for yet. */
  const [notes, setNotes] = useState<readonly string[] | null>(null);
  /** Why the window itself cannot hand a file in. */
  const [problem, setProblem] = useState<string | null>(null);
  const forget = () => {
    look.clear();
    keep.clear();
    setKept([]);
    setNotes(null);
    setProblem(null);
  };
  const lookNow = async () => {
    const looked = await look.run({});
    if (looked !== null) setNotes(looked.notes);
  };
  const readFiles = async (files: readonly File[]) => {
    forget();
    for (const file of files) {
      const { name } = file;
      if (file.size > maxStatementBytes)
        return setProblem(t('money.statementTooLarge', { name, size: maxStatementBytes / 1024 ** 2 }));
      const content = await base64Of(file).catch(() => null);
      if (content === null) return setProblem(t('money.statementUnread', { name }));
      const done = await keep.run({ name, content });
      if (done === null) return;
      const said = t(done.isNew ? 'money.statementKept' : 'money.statementKnown', { name: done.name });
      setKept((before) => [...before, said]);
    }
    await lookNow();
  };
  const busy = look.busy || keep.busy;
  return (
    <div className="money-look">
      <Button
        icon={<RefreshCw aria-hidden="true" />}
        busy={busy}
        onClick={() => {
          forget();
          void lookNow();
        }}
      >
        {t('money.lookNow')}
      </Button>
      <Button icon={<FileUp aria-hidden="true" />} busy={busy} onClick={() => input.current?.click()}>
        {t('money.readStatement')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".xml,text/xml,application/xml"
        multiple
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file may be chosen again when it has been mended.
          target.value = '';
          if (files.length > 0) void readFiles(files);
        }}
      />
      <div role="status">
        {(kept.length > 0 || notes !== null) && (
          <div className="note note-good">
            {kept.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {notes !== null && <p>{t('money.looked')}</p>}
            {notes?.map((note) => (
              <p key={note}>
                <BridgeText text={note} />
              </p>
            ))}
          </div>
        )}
      </div>
      <p className="note note-bad" role="alert" hidden={problem === null}>
        {problem}
      </p>
      <RefusedNote refusal={keep.refusal} />
      <RefusedNote refusal={look.refusal} />
    </div>
  );
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
