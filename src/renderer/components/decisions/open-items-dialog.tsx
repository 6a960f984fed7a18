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
import { mainTerminal } from '../../../contract/terminal-name.ts';
import { ofTerminal, stateOf, terminalNames, unreadableTerminals } from '../../store/chosen-terminal.ts';
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
  const state = useConsoleState();
  const { doubts } = state;
  const open = useOpenDiscrepancies();
  const unreadable = unreadableTerminals(state);
  const items: Item[] = [
    ...doubts.map((inDoubt) => ({ kind: 'in_doubt' as const, inDoubt })),
    ...open.discrepancies.map((discrepancy) => ({ kind: 'discrepancy' as const, discrepancy })),
  ];
  // A list of one is no list.
  const [only] = useState(items.length + unreadable.length === 1 ? (items[0] ?? null) : null);
  const [chosen, choose] = useState<Item | null>(only);
  const back = () => (only === null ? choose(null) : onClose());

  if (chosen?.kind === 'in_doubt') {
    return <ResolveDialog operationId={chosen.inDoubt.operationId} onClose={back} />;
  }
  if (chosen?.kind === 'discrepancy') {
    return <DiscrepancyDialog shown={chosen.discrepancy} onClose={back} />;
  }
  return <List items={items} unreadable={unreadable} open={open} onChoose={choose} onClose={onClose} />;
}

function List({
  items,
  unreadable,
  open: { hidden, busy, refusal, showMore },
  onChoose,
  onClose,
}: {
  items: Item[];
  /** The names of terminals of which nobody knows what is open. */
  unreadable: string[];
  open: OpenDiscrepancies;
  onChoose: (item: Item) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('openItems.title')} onClose={onClose} wide>
      {items.length === 0 && unreadable.length === 0 && (
        <p className="note note-good" role="status">
          {t('openItems.none')}
        </p>
      )}
      {unreadable.map((name) => (
        <UnreadableJournal key={name} terminal={name} />
      ))}
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

function UnreadableJournal({ terminal }: { terminal: string }) {
  const { t } = useTranslation();
  const title = useTerminalTitle()(terminal);
  const { journal } = stateOf(useConsoleState(), terminal);
  return (
    <p className="note note-bad">
      {title !== null && <strong>{title}: </strong>}
      {t('openItems.unreadable')} <BridgeText text={journal.text} />
    </p>
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
  /** Of each terminal the oldest first. */
  discrepancies: DiscrepancyView[];
  /** How many are open and not shown. */
  hidden: number;
  busy: boolean;
  refusal: ConsoleRefusal | null;
  showMore: () => void;
}

function useOpenDiscrepancies(): OpenDiscrepancies {
  const client = useClient();
  const state = useConsoleState();
  const { discrepancies: first, discrepancyCount } = state;
  const [pages, setPages] = useState(0);
  const terminals = terminalNames(state).map((name) => ({ name, behind: lastSeq(first, name) }));
  // The count: when one is found or acknowledged, another one is the first behind those of the state.
  const { data, isFetching } = useQuery({
    queryKey: ['discrepancies', terminals, pages, discrepancyCount],
    queryFn: () => fetchPages(client, terminals, pages),
    enabled: pages > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const further = data?.found.filter(
    ({ seq, onTerminal = mainTerminal }) => seq > lastSeq(first, onTerminal),
  );
  const discrepancies = [...first, ...(further ?? [])];
  return {
    discrepancies,
    hidden: Math.max(0, discrepancyCount - discrepancies.length),
    busy: isFetching,
    refusal: data?.refusal ?? null,
    showMore: () => setPages(pages + 1),
  };
}

/** Of this terminal; each journal counts for itself. */
function lastSeq(discrepancies: DiscrepancyView[], terminal: string): number {
  return discrepancies.findLast(({ onTerminal = mainTerminal }) => onTerminal === terminal)?.seq ?? 0;
}

/** One terminal after the other. What a refusal leaves is shown all the same. */
async function fetchPages(
  client: ConsoleClient,
  terminals: { name: string; behind: number }[],
  pages: number,
): Promise<{ found: DiscrepancyView[]; refusal: ConsoleRefusal | null }> {
  const found: DiscrepancyView[] = [];
  let refusal: ConsoleRefusal | null = null;
  let page = 0;
  for (const { name, behind } of terminals) {
    let after = behind;
    while (page < pages) {
      const result = await client.invoke('discrepancies', { after, ...ofTerminal(name) });
      const last = result.ok ? result.value.discrepancies.at(-1) : undefined;
      if (!result.ok) refusal ??= result.refusal;
      if (!result.ok || last === undefined) break;
      found.push(...result.value.discrepancies);
      after = last.seq;
      page += 1;
    }
  }
  return { found, refusal };
}
