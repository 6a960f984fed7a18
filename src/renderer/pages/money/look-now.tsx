/** Has the money looked for now, also after statements of a bank were handed in, and says what came of it. */
import { FileUp, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxStatementBytes } from '../../../contract/console/index.ts';
import { base64Of } from '../../components/base64.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { useRefusalMessage } from '../../messages/i18n.ts';
import { useClient } from '../../store/console-context.tsx';
import { useOneAtATime } from '../../store/queries.ts';

/** What came of it: sentences; null: nothing was asked for yet. */
interface Told {
  good: string[];
  bad: string[];
  /** What was left out of the statements, in the bridge's words. */
  notes: string[];
}

export function LookNow() {
  const { t } = useTranslation();
  const [told, setTold] = useState<Told | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const handIn = useHandIn();
  const look = useLook();

  const start = useOneAtATime(async (files: readonly File[]) => {
    setBusy(true);
    const now: Told = { good: [], bad: [], notes: [] };
    const show = () => setTold({ ...now });
    show();
    try {
      for (const file of files) {
        const { ok, text } = await handIn(file);
        now[ok ? 'good' : 'bad'].push(text);
        show();
      }
      // Those that were kept count, whatever became of the others.
      if (files.length === 0 || now.good.length > 0) await look(now);
    } finally {
      setBusy(false);
      show();
    }
  });

  return (
    <div className="money-look">
      <Button icon={<RefreshCw aria-hidden="true" />} busy={busy} onClick={() => void start([])}>
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
          if (files.length > 0) void start(files);
        }}
      />
      <div role="status">
        {told !== null && (told.good.length > 0 || told.notes.length > 0) && (
          <div className="note note-good">
            {told.good.map((sentence, at) => (
              <p key={`${at} ${sentence}`}>{sentence}</p>
            ))}
            {told.notes.map((note) => (
              <p key={note}>
                <BridgeText text={note} />
              </p>
            ))}
          </div>
        )}
      </div>
      <div role="alert">
        {told?.bad.map((sentence, at) => (
          <p key={`${at} ${sentence}`} className="note note-bad">
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Looks for the money, and adds to `told` what came of it. */
function useLook(): (told: Told) => Promise<void> {
  const { t } = useTranslation();
  const client = useClient();
  const refusalText = useRefusalMessage();
  return async (told) => {
    const looked = await client.invoke('lookForMoney', {});
    if (!looked.ok) return void told.bad.push(refusalText(looked.refusal));
    told.good.push(t('money.looked'));
    told.notes.push(...looked.value.notes);
  };
}

/** Hands one file in; gives a sentence about it. */
function useHandIn(): (file: File) => Promise<{ ok: boolean; text: string }> {
  const { t } = useTranslation();
  const client = useClient();
  const refusalText = useRefusalMessage();
  return async (file) => {
    const { name } = file;
    if (file.size > maxStatementBytes)
      return {
        ok: false,
        text: t('money.statementTooLarge', { name, size: maxStatementBytes / 1024 ** 2 }),
      };
    const content = await base64Of(file).catch(() => null);
    if (content === null) return { ok: false, text: t('money.statementUnread', { name }) };
    const kept = await client.invoke('keepStatement', { name, content });
    if (!kept.ok) {
      const text = refusalText(kept.refusal);
      return { ok: false, text: text.includes(name) ? text : `${name}: ${text}` };
    }
    const said = kept.value.isNew ? 'money.statementKept' : 'money.statementKnown';
    return { ok: true, text: t(said, { name: kept.value.name }) };
  };
}
