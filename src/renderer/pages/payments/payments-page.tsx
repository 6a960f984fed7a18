/** All payments, and beside or instead of them the one that is open. */
import { Download, SearchX, WalletCards } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedFile } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { useClient } from '../../store/console-context.tsx';
import { goTo, href, useRoute } from '../../store/route.ts';
import { useFormats } from '../../messages/formats.ts';
import { filterOf, isFiltered, noFilter, queryOf, requestOf, type ListFilter } from './list-filter.ts';
import { PaymentDetail } from './payment-detail.tsx';
import { PaymentFilters } from './payment-filters.tsx';
import { PaymentTable } from './payment-table.tsx';
import { usePaymentList, type PaymentList } from './use-payment-list.ts';
import './payments.css';

export function PaymentsPage() {
  const { t } = useTranslation();
  const { id, query } = useRoute();
  const filter = filterOf(query);
  const list = usePaymentList(requestOf(filter));
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

  return (
    <div className="payments" ref={page} data-open={id !== null}>
      <div className="payments-list">
        <div className="page-head">
          <h1>{t('pages.payments')}</h1>
          <ExportButton filter={filter} />
        </div>
        <PaymentFilters filter={filter} onChange={change} />
        <ListCard filter={filter} openId={id} list={list} onClose={close} />
      </div>
      {id !== null && <PaymentDetail key={id} transactionId={id} listHref={listHref} onClose={close} />}
    </div>
  );
}

function hasFocus(element: HTMLElement | null): boolean {
  return element !== null && element.contains(document.activeElement);
}

function ListCard({
  filter,
  openId,
  list,
  onClose,
}: {
  filter: ListFilter;
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

  if (payments.length > 0) {
    return (
      <section className="card payments-card">
        <PaymentTable
          key={list.key}
          payments={payments}
          more={more}
          busy={phase === 'loading'}
          openId={openId}
          oneDay={filter.day !== null}
          hrefOf={(transactionId) => href('payments', transactionId, queryOf(filter))}
          onOpen={(transactionId) => goTo('payments', transactionId, queryOf(filter))}
          onClose={onClose}
          onReach={reach}
        />
        <ListFoot list={list} searching={filter.text.trim() !== ''} />
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
        <Empty title={filter.text.trim() === '' ? t('payments.loading') : t('payments.searching')} />
      )}
      <ListFoot list={list} searching={filter.text.trim() !== ''} />
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

/** How many there are, and what a long search is doing. */
function ListFoot({ list, searching }: { list: PaymentList; searching: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { payments, more, phase, stop, goOn, retry } = list;
  const count = payments.length;
  const text =
    phase === 'loading'
      ? t(searching ? 'payments.searching' : 'payments.loading')
      : phase === 'stopped'
        ? t('payments.searchStopped')
        : more
          ? t('payments.countMore', { number: formats.number(count) })
          : t('payments.count', { count });
  // Without rows the card itself says it.
  if (count === 0 && phase !== 'loading') return null;
  if (phase === 'refused' && list.refusal !== null) return <Refused refusal={list.refusal} retry={retry} />;
  return (
    <footer className="payments-foot">
      <span role="status">{text}</span>
      {phase === 'loading' && searching && (
        <Button look="quiet" onClick={stop}>
          {t('payments.stopSearch')}
        </Button>
      )}
      {phase === 'stopped' && (
        <Button look="quiet" onClick={goOn}>
          {t('payments.goOnSearch')}
        </Button>
      )}
    </footer>
  );
}

function ExportButton({ filter }: { filter: ListFilter }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState<SavedFile | null>(null);
  const save = async () => {
    setBusy(true);
    setSaved(await client.save({ kind: 'payments', filter: requestOf(filter) }));
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
