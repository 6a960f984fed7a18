/** All that waits for a person, doubts and discrepancies in one list; each opens its own dialog. */
import { Scale, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { RefusedNote } from '../refused.tsx';
import { Time } from '../time.tsx';
import { useConsoleState } from '../../store/console-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import { inDoubtAmount } from '../../messages/in-doubt.ts';
import { DiscrepancyDialog } from './discrepancy-dialog.tsx';
import { discrepancyAmount } from '../../messages/discrepancy-message.ts';
import { ResolveDialog } from './resolve-dialog.tsx';
import { useOpenDiscrepancies, type OpenDiscrepancies } from './use-open-discrepancies.ts';
import './decisions.css';

type Item =
  { kind: 'in_doubt'; inDoubt: InDoubtView } | { kind: 'discrepancy'; discrepancy: DiscrepancyView };

export function OpenItemsDialog({ onClose }: { onClose: () => void }) {
  const { doubts } = useConsoleState();
  const open = useOpenDiscrepancies();
  const items: Item[] = [
    ...doubts.map((inDoubt) => ({ kind: 'in_doubt' as const, inDoubt })),
    ...open.discrepancies.map((discrepancy) => ({ kind: 'discrepancy' as const, discrepancy })),
  ];
  // A list of one is no list.
  const [only] = useState(items.length === 1 ? (items[0] ?? null) : null);
  const [chosen, choose] = useState<Item | null>(only);
  const back = () => (only === null ? choose(null) : onClose());

  if (chosen?.kind === 'in_doubt') {
    return <ResolveDialog operationId={chosen.inDoubt.operationId} onClose={back} />;
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
          item.kind === 'in_doubt' ? (
            <InDoubtRow
              key={item.inDoubt.operationId}
              inDoubt={item.inDoubt}
              onChoose={() => onChoose(item)}
            />
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

function InDoubtRow({ inDoubt, onChoose }: { inDoubt: InDoubtView; onChoose: () => void }) {
  const { t } = useTranslation();
  const amount = inDoubtAmount(inDoubt, useFormats());
  return (
    <Row
      icon={<TriangleAlert className="mark tone-warn" aria-hidden="true" />}
      title={t(`resolve.title.${inDoubt.kind}`)}
      details={[inDoubt.reference, amount]}
      at={inDoubt.startedAt}
      text={inDoubt.reason}
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
      icon={<Scale className="mark tone-warn" aria-hidden="true" />}
      title={t(`discrepancy.kind.${discrepancy.kind}`)}
      details={[discrepancy.references.join(', '), discrepancyAmount(discrepancy, formats)]}
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
