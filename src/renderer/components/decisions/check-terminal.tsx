/** Has the terminal asked again about what is in doubt, and says what came of it. Other ways out stand beside it. */
import { RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TerminalCheck } from '../../../contract/in-doubt.ts';
import { BridgeText } from '../bridge-text.tsx';
import { Button } from '../button.tsx';
import { RefusedNote } from '../notices.tsx';
import { useAction } from '../../store/queries.ts';

export function CheckTerminal({
  terminal,
  needsDecision,
  children,
}: {
  terminal: string;
  needsDecision: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { busy, refusal, run } = useAction('checkTerminal');
  const [check, setCheck] = useState<TerminalCheck | null>(null);
  const checkNow = async () => {
    setCheck(null);
    setCheck(await run({ terminal }));
  };
  return (
    <section className="resolve-ways" aria-label={t('resolve.ways')} data-resolve="ways">
      <div className="resolve-ways-buttons">
        <Button icon={<RotateCw aria-hidden="true" />} busy={busy} onClick={() => void checkNow()}>
          {t('resolve.check')}
        </Button>
        {children}
      </div>
      <div role="status">
        {busy && <p className="calm">{t('resolve.checking')}</p>}
        {check !== null && <Came check={check} needsDecision={needsDecision} />}
      </div>
      <RefusedNote refusal={refusal} />
    </section>
  );
}

/** The doubt is still there, or this would not be shown. */
function Came({ check: { kind, text }, needsDecision }: { check: TerminalCheck; needsDecision: boolean }) {
  const { t } = useTranslation();
  if (kind === 'answered') {
    return (
      <p className="note note-warn">
        {t(needsDecision ? 'resolve.checked.nothingNew' : 'resolve.checked.notYet')}
      </p>
    );
  }
  return (
    <div className="note note-warn">
      <p>
        <BridgeText text={text} />
      </p>
      <p>{t(`resolve.checked.${kind}`)}</p>
    </div>
  );
}
