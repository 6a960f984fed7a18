/** All payments, and beside or instead of them the one that is open. */
import { ArrowDownUp, Download, SearchX, WalletCards } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  canSortByAmount,
  maxSortedDays,
  type PaymentFilter,
  type PaymentOrder,
  type SavedFile,
} from '../../../contract/console/index.ts';
import type { Currency } from '../../../contract/money.ts';
import { Button } from '../../components/button.tsx';
import { DayReportLink } from '../../components/day-report-link.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { PageTitle } from '../../components/terminal-choice/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useClient } from '../../store/console-context.tsx';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { goTo, href, useRoute } from '../../store/route.ts';
import {
  filterOf,
  isFiltered,
  noFilter,
  oneDay,
  queryOf,
  requestOf,
  sortableDays,
  type ListFilter,
} from './list-filter.ts';
import { ListFoot } from './list-foot.tsx';
import { Said } from '../../components/said.tsx';
import { OnOtherTerminals } from './on-other-terminals.tsx';
import { PaymentDetail } from './payment-detail.tsx';
import { PaymentFilters } from './payment-filters.tsx';
import { PaymentTable } from './payment-table.tsx';
import { usePaymentList, type PaymentList } from './use-payment-list.ts';
import './payments.css';

export function PaymentsPage() {
  const { t } = useTranslation();
  const { id, query } = useRoute();
  const terminal = useTerminalName();
  const { currency } = useTerminalState();
  const filter = useMemo(() => filterOf(query), [query]);
  const wanted = useRequest(filter, currency);
  const list = usePaymentList(terminal, wanted.request, wanted.order);
  const page = useRef<HTMLDivElement>(null);

  const change = (next: ListFilter, typing = false) => {
    const search = queryOf(next);
    if (typing) window.location.replace(href('payments', id ?? undefined, search));
    else goTo('payments', id ?? undefined, search);
  };
  const listHref = href('payments', undefined, queryOf(filter));
  const close = () => {
    if (id !== null) goTo('payments', undefined, queryOf(filter));
  };

  // The detail has gone and with it the focus: back to where it came from.
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current !== null && id === null && !hasFocus(page.current))
      page.current?.querySelector<HTMLElement>('[data-payments]')?.focus();
    shown.current = id;
  }, [id]);

  const toList = () => page.current?.querySelector<HTMLElement>('[data-payments]')?.focus();
  const openFirst = useOpenFirst(list);
  const enter = (next: ListFilter) => {
    if (next.text !== filter.text) change(next, filter.text !== '');
    openFirst(next);
  };

  return (
    <div className="payments" ref={page} data-open={id !== null}>
      <div className="payments-list">
        <div className="page-head">
          <PageTitle title={t('pages.payments')} />
          <div className="toolbar">
            <DayReportLink day={oneDay(filter)} />
            <ExportButton key={terminal} wanted={wanted} terminal={terminal} />
          </div>
        </div>
        <PaymentFilters
          filter={filter}
          currency={currency}
          onChange={change}
          onEnter={enter}
          onDown={toList}
        />
        <OnOtherTerminals terminal={terminal} filter={wanted.request} />
        <ListCard filter={filter} wanted={wanted} openId={id} list={list} onClose={close} />
      </div>
      <Said>
        {id !== null && <PaymentDetail key={id} transactionId={id} listHref={listHref} onClose={close} />}
      </Said>
    </div>
  );
}

interface Wanted {
  request: PaymentFilter;
  /** Null: the payments cannot be put in the order that was asked for. */
  order: PaymentOrder | null;
}

/** The same object as long as the same is asked for. */
function useRequest(filter: ListFilter, currency: Currency): Wanted {
  const key = JSON.stringify(filter);
  return useMemo(() => {
    const asked = JSON.parse(key) as ListFilter;
    const request = requestOf(asked, currency);
    const byTime = asked.order === 'newest' || asked.order === 'oldest';
    return { request, order: byTime || canSortByAmount(request.span) ? asked.order : null };
  }, [key, currency]);
}

/** Opens the first payment of a filter as soon as its list is there; another filter, or none that fits, ends it. */
function useOpenFirst(list: PaymentList): (filter: ListFilter) => void {
  const { query } = useRoute();
  const [wanted, setWanted] = useState<string | null>(null);
  const shown = JSON.stringify(filterOf(query));
  const [first] = list.payments;
  const isThere = wanted === shown && list.isCurrent && (first !== undefined || list.phase !== 'loading');
  useEffect(() => {
    if (!isThere) return;
    setWanted(null);
    if (first !== undefined) goTo('payments', first.transactionId, queryOf(filterOf(query)));
  }, [isThere, first, query]);
  return (filter) => setWanted(JSON.stringify(filter));
}

function hasFocus(element: HTMLElement | null): boolean {
  return element !== null && element.contains(document.activeElement);
}

function ListCard({
  filter,
  wanted,
  openId,
  list,
  onClose,
}: {
  filter: ListFilter;
  wanted: Wanted;
  openId: string | null;
  list: PaymentList;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { payments, more, phase, want, retry } = list;
  const wantRef = useRef(want);
  useEffect(() => {
    wantRef.current = want;
  });
  const reach = useCallback((count: number) => wantRef.current(count), []);
  const hrefOf = useCallback(
    (transactionId: string) => href('payments', transactionId, queryOf(filter)),
    [filter],
  );

  const searching = filter.text.trim() !== '';
  if (wanted.order === null) return <NeedsSpan filter={filter} />;
  if (payments.length > 0) {
    return (
      <section className="card payments-card">
        <PaymentTable
          key={list.key}
          payments={payments}
          more={more}
          busy={phase === 'loading'}
          openId={openId}
          order={wanted.order}
          filter={wanted.request}
          heard={list.heard}
          hrefOf={hrefOf}
          onOpen={(transactionId) => goTo('payments', transactionId, queryOf(filter))}
          onClose={onClose}
          onReach={reach}
        />
        <ListFoot list={list} filter={wanted.request} searching={searching} />
      </section>
    );
  }
  return (
    <section className="card payments-card">
      {phase === 'refused' && list.refusal !== null ? (
        <Refused refusal={list.refusal} retry={retry} />
      ) : phase === 'idle' && !more ? (
        <NoPayments filter={filter} />
      ) : phase === 'stopped' ? (
        <Empty
          title={t('payments.searchStopped')}
          action={<Button onClick={list.goOn}>{t('payments.goOnSearch')}</Button>}
        />
      ) : (
        <Empty title={searching ? t('payments.searching') : t('payments.loading')} />
      )}
      <ListFoot list={list} filter={wanted.request} searching={searching} />
    </section>
  );
}

/** All payments of a period are looked at before the highest is known, so it must not be long. */
function NeedsSpan({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  const days = maxSortedDays;
  const choose = () => goTo('payments', undefined, queryOf({ ...filter, ...sortableDays(new Date()) }));
  return (
    <section className="card payments-card">
      <Empty
        icon={<ArrowDownUp className="mark mark-large tone-calm" aria-hidden="true" />}
        title={t('payments.needsPeriod')}
        action={<Button onClick={choose}>{t('payments.latestDays', { days })}</Button>}
      >
        {t('payments.needsPeriodText', { days })}
      </Empty>
    </section>
  );
}

function NoPayments({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  if (!isFiltered(filter)) {
    return (
      <Empty
        icon={<WalletCards className="mark mark-large tone-calm" aria-hidden="true" />}
        title={t('payments.nothingYet')}
      >
        {t('payments.nothingYetText')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={<SearchX className="mark mark-large tone-calm" aria-hidden="true" />}
      title={t('payments.noMatch')}
      action={
        <Button onClick={() => goTo('payments', undefined, queryOf(noFilter))}>
          {t('payments.clearFilters')}
        </Button>
      }
    >
      {t('payments.noMatchText')}
    </Empty>
  );
}

function ExportButton({ wanted: { request, order }, terminal }: { wanted: Wanted; terminal: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState<SavedFile | null>(null);
  const save = async () => {
    setBusy(true);
    setSaved(
      await client.save({
        kind: 'payments',
        filter: request,
        order: order ?? undefined,
        ...ofTerminal(terminal),
      }),
    );
    setBusy(false);
  };
  return (
    <div className="payments-export">
      <span role="status" className="calm">
        {saved?.kind === 'saved' && t('app.savedFile', { name: saved.name })}
        {saved?.kind === 'failed' && t('app.notSaved', { reason: saved.message })}
      </span>
      <Button busy={busy} icon={<Download aria-hidden="true" />} onClick={() => void save()}>
        {t('payments.export')}
      </Button>
    </div>
  );
}
