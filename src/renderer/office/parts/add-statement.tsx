/** Hands in files of a bank, and says what came of each. */
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxStatementFileBytes, type AddedStatement } from '../../../contract/office-deposits.ts';
import { base64Of } from '../../components/base64.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { askOffice, RefusedError } from '../office-client.ts';

interface Told {
  ok: boolean;
  text: string;
}

export function AddStatement({ onAdded }: { onAdded: () => void }) {
  const { t } = useTranslation();
  const [told, setTold] = useState<Told[]>([]);
  const [busy, setBusy] = useState(false);
  const [corrects, setCorrects] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function handIn(file: File): Promise<Told & { notes?: string[] }> {
    const { name } = file;
    if (file.size > maxStatementFileBytes)
      return {
        ok: false,
        text: t('money.statementTooLarge', { name, size: maxStatementFileBytes / 1024 ** 2 }),
      };
    const content = await base64Of(file).catch(() => null);
    if (content === null) return { ok: false, text: t('money.statementUnread', { name }) };
    try {
      const added = await askOffice<AddedStatement>('/statements', { name, content, corrects });
      const text = t(added.isNew ? 'money.statementKept' : 'money.statementKnown', { name });
      return { ok: true, text, notes: added.notes };
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'statement_not_kept')
        return { ok: false, text: error.message };
      return { ok: false, text: `${name}: ${t('office.deposits.notHandedIn')}` };
    }
  }

  async function start(files: readonly File[]): Promise<void> {
    setBusy(true);
    setTold([]);
    for (const file of files) {
      const { notes = [], ...one } = await handIn(file);
      setTold((before) => [...before, one, ...notes.map((text) => ({ ok: true, text }))]);
    }
    setBusy(false);
    onAdded();
  }

  return (
    <div>
      <div className="toolbar deposit-filter">
        <Button icon={<FileUp aria-hidden="true" />} busy={busy} onClick={() => input.current?.click()}>
          {t('money.readStatement')}
        </Button>
        <label className="check">
          <input type="checkbox" checked={corrects} onChange={({ target }) => setCorrects(target.checked)} />
          <span>{t('office.deposits.corrects')}</span>
        </label>
      </div>
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
          if (files.length > 0) void start(files);
        }}
      />
      <Said told={told.filter(({ ok }) => ok)} role="status" />
      <Said told={told.filter(({ ok }) => !ok)} role="alert" />
    </div>
  );
}

function Said({ told, role }: { told: readonly Told[]; role: 'status' | 'alert' }) {
  return (
    <div role={role} className="deposit-said">
      {told.length > 0 && (
        <div className={`note ${role === 'status' ? 'note-good' : 'note-bad'}`}>
          {told.map(({ text }, at) => (
            <p key={`${at} ${text}`}>
              <BridgeText text={text} />
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
