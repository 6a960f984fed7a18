/** Has the money looked for now, and says what came of it. */
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useAction } from '../../store/queries.ts';

export function LookNow() {
  const { t } = useTranslation();
  const { busy, refusal, run } = useAction('lookForMoney');
  /** What was left out of the statements; null: nothing was looked for yet. */
  const [notes, setNotes] = useState<readonly string[] | null>(null);
  const look = async () => {
    setNotes(null);
    const looked = await run({});
    if (looked !== null) setNotes(looked.notes);
  };
  return (
    <div className="money-look">
      <Button icon={<RefreshCw aria-hidden="true" />} busy={busy} onClick={() => void look()}>
        {t('money.lookNow')}
      </Button>
      <div role="status">
        {notes !== null && (
          <div className="note note-good">
            <p>{t('money.looked')}</p>
            {notes.map((note) => (
              <p key={note}>
                <BridgeText text={note} />
              </p>
            ))}
          </div>
        )}
      </div>
      <RefusedNote refusal={refusal} />
    </div>
  );
}
