/** All that waits for a person, operations in doubt and discrepancies in one list; each opens its own dialog. */
import { Scale, TriangleAlert } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import type { InDoubtView } from '../../../contract/in-doubt.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { useTerminalTitle } from '../terminal-choice/index.ts';
import { RefusedNote } from '../notices.tsx';
import { Time } from '../time.tsx';
import { useConsoleState, useClient } from '../../store/console-context.tsx';
import { useFormats } from '../../messages/formats.ts';
import { inDoubtAmount, discrepancyAmount } from '../../messages/open-items.ts';
import { DiscrepancyDialog } from './discrepancy-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ConsoleRefusal } from '../../../contract/console/index.ts';
import type { ConsoleClient } from '../../store/console-client.ts';
import './decisions.css';
import { BridgeText } from '../bridge-text.tsx';

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
  const titleOf = useTerminalTitle();
  return (
    <Row
      icon={<TriangleAlert className="mark tone-warn" aria-hidden="true" />}
      title={t(`resolve.title.${inDoubt.kind}`)}
      details={[titleOf(inDoubt.onTerminal), inDoubt.reference, amount]}
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
  const titleOf = useTerminalTitle();
  return (
    <Row
      icon={<Scale className="mark tone-warn" aria-hidden="true" />}
      title={t(`discrepancy.kind.${discrepancy.kind}`)}
      details={[
        titleOf(discrepancy.onTerminal),
        discrepancy.references.join(', '),
        discrepancyAmount(discrepancy, formats),
      ]}
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
  const id = useId();
  return (
    <li className="open-item">
      {icon}
      <div>
        <p className="entry-title" id={`${id}-title`}>
          {title}
        </p>
        <p className="calm" id={`${id}-details`}>
          {[...known, ''].join(' · ')}
          <Time at={at} show="dateTime" />
        </p>
        <p>
          <BridgeText text={text} />
        </p>
      </div>
      <Button onClick={onChoose} aria-describedby={`${id}-title ${id}-details`}>
        {action}
      </Button>
    </li>
  );
}

interface OpenDiscrepancies {
  /** Oldest first. */
  discrepancies: DiscrepancyView[];
  /** How many are open and not shown. */
  hidden: number;
  busy: boolean;
  refusal: ConsoleRefusal | null;
  showMore: () => void;
}

function useOpenDiscrepancies(): OpenDiscrepancies {
  const client = useClient();
  const { discrepancies: first, discrepancyCount } = useConsoleState();
  const [pages, setPages] = useState(0);
  const behind = first.at(-1)?.seq ?? 0;
  // The count: when one is found or acknowledged, another one is the first behind those of the state.
  const { data, isFetching } = useQuery({
    queryKey: ['discrepancies', behind, pages, discrepancyCount],
    queryFn: () => fetchPages(client, behind, pages),
    enabled: pages > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const further = data?.found.filter(({ seq }) => seq > behind) ?? [];
  const discrepancies = [...first, ...further];
  return {
    discrepancies,
    hidden: Math.max(0, discrepancyCount - discrepancies.length),
    busy: isFetching,
    refusal: data?.refusal ?? null,
    showMore: () => setPages(pages + 1),
  };
}

/** Up to a refusal: what was found before it is shown all the same. */
async function fetchPages(
  client: ConsoleClient,
  behind: number,
  pages: number,
): Promise<{ found: DiscrepancyView[]; refusal: ConsoleRefusal | null }> {
  const found: DiscrepancyView[] = [];
  for (let page = 0; page < pages; page += 1) {
    const result = await client.invoke('discrepancies', { after: found.at(-1)?.seq ?? behind });
    if (!result.ok) return { found, refusal: result.refusal };
    if (result.value.discrepancies.length === 0) break;
    found.push(...result.value.discrepancies);
  }
  return { found, refusal: null };
}
