/** All that waits for a person, doubts and discrepancies in one list; each opens its own dialog. */
import { Scale, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { RefusedNote } from '../../components/refused.tsx';
import { Time } from '../../components/time.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { useFormats } from '../../words/format.ts';
import { doubtAmount } from './doubt-amount.ts';
import { DiscrepancyDialog } from './discrepancy-dialog.tsx';
import { amountWords } from './discrepancy-words.ts';
import { ResolveDialog } from './resolve-dialog.tsx';
import { useOpenDiscrepancies, type OpenDiscrepancies } from './use-open-discrepancies.ts';
import './resolve.css';

type Item = { kind: 'doubt'; doubt: InDoubtView } | { kind: 'discrepancy'; discrepancy: DiscrepancyView };

export function OpenItemsDialog({ onClose }: { onClose: () => void }) {
  const { doubts } = useConsoleState();
  const open = useOpenDiscrepancies();
  const items: Item[] = [
    ...doubts.map((doubt) => ({ kind: 'doubt' as const, doubt })),
    ...open.discrepancies.map((discrepancy) => ({ kind: 'discrepancy' as const, discrepancy })),
  ];
  // A list of one is no list.
  const [only] = useState(items.length === 1 ? (items[0] ?? null) : null);
  const [chosen, choose] = useState<Item | null>(only);
  const back = () => (only === null ? choose(null) : onClose());

  if (chosen?.kind === 'doubt') {
    return <ResolveDialog operationId={chosen.doubt.operationId} onClose={back} />;
  }
  if (chosen?.kind === 'discrepancy') {
    return <DiscrepancyDialog shown={chosen.discrepancy} onClose={back} />;
  }
  return <List items={items} open={open} onChoose={choose} onClose={onClose} />;
}

function List({
  items,
  open: { hidden, busy, refusal, showMore },
  onChoose,
  onClose,
}: {
  items: Item[];
  open: OpenDiscrepancies;
  onChoose: (item: Item) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('openItems.title')} onClose={onClose} wide>
      {items.length === 0 && (
        <p className="note note-good" role="status">
          {t('openItems.none')}
        </p>
      )}
      <ul className="open-items">
        {items.map((item) =>
          item.kind === 'doubt' ? (
            <DoubtRow key={item.doubt.operationId} doubt={item.doubt} onChoose={() => onChoose(item)} />
          ) : (
            <DiscrepancyRow
              key={item.discrepancy.discrepancyId}
              discrepancy={item.discrepancy}
              onChoose={() => onChoose(item)}
            />
          ),
        )}
      </ul>
      {hidden > 0 && (
        <p className="open-items-more">
          <Button busy={busy} onClick={showMore}>
            {t('app.more')}
          </Button>
          <span className="calm">{t('openItems.more', { count: hidden })}</span>
        </p>
      )}
      <RefusedNote refusal={refusal} />
    </Dialog>
  );
}

function DoubtRow({ doubt, onChoose }: { doubt: InDoubtView; onChoose: () => void }) {
  const { t } = useTranslation();
  const amount = doubtAmount(doubt, useFormats());
  return (
    <Row
      icon={<TriangleAlert className="mark tone-doubt" aria-hidden="true" />}
      title={t(`resolve.title.${doubt.kind}`)}
      details={[doubt.reference, amount]}
      at={doubt.startedAt}
      text={doubt.reason}
      action={t('banner.resolve')}
      onChoose={onChoose}
    />
  );
}

function DiscrepancyRow({ discrepancy, onChoose }: { discrepancy: DiscrepancyView; onChoose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Row
      icon={<Scale className="mark tone-doubt" aria-hidden="true" />}
      title={t(`discrepancy.kind.${discrepancy.kind}`)}
      details={[discrepancy.references.join(', '), amountWords(discrepancy, formats)]}
      at={discrepancy.foundAt}
      text={discrepancy.message}
      action={t('discrepancy.look')}
      onChoose={onChoose}
    />
  );
}

function Row({
  icon,
  title,
  details,
  at,
  text,
  action,
  onChoose,
}: {
  icon: ReactNode;
  title: string;
  details: (string | null)[];
  at: string;
  /** The bridge's own sentence (English). */
  text: string;
  action: string;
  onChoose: () => void;
}) {
  const known = details.filter((detail) => detail !== null && detail !== '');
  return (
    <li className="open-item">
      {icon}
      <div>
        <p className="entry-title">{title}</p>
        <p className="calm">
          {[...known, ''].join(' · ')}
          <Time at={at} show="dateTime" />
        </p>
        <p lang="en">{text}</p>
      </div>
      <Button onClick={onChoose}>{action}</Button>
    </li>
  );
}
