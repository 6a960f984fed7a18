/** Payments of all shops by what stands on a receipt or in the books. */
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundPayment, PaymentPage } from '../../../contract/office-page.ts';
import { useDayText } from '../../components/money-status.tsx';
import { Empty } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DataTable } from '../parts/data-table.tsx';
import { moneyText } from '../parts/money-text.ts';
import { More } from '../parts/more.tsx';
import { NotThere } from '../parts/refused.tsx';
import { SearchForm } from '../parts/search-form.tsx';
import { rememberSearch, searchOf, searchPath } from '../parts/search-query.ts';
import { ShopLink } from '../parts/shop-link.tsx';
import { StatusOf } from '../parts/status.tsx';
import { usePages } from '../parts/use-pages.ts';
import { officeHref, useOfficeRoute } from '../route.ts';

export function SearchView() {
  const { t } = useTranslation();
  const dayText = useDayText();
  const { query } = useOfficeRoute();
  const search = searchOf(query);
  const path = searchPath(search);
  const found = usePages<PaymentPage, FoundPayment>(path, {
    pathOf: (before) => searchPath(search, before) ?? '',
    itemsOf: ({ payments }) => payments,
    nextOf: ({ next }) => next,
    kept: true,
  });
  const archived = [...new Set(found.read.flatMap((page) => page.archived))].toSorted().toReversed();
  const asText = query.toString();
  useEffect(() => rememberSearch(searchOf(new URLSearchParams(asText))), [asText]);
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.search')}</h1>
      </div>
      <SearchForm key={asText} search={search} />
      {archived.length > 0 && (
        <p className="note note-warn">
          {t('office.search.archived', {
            newest: dayText(archived[0] ?? ''),
            oldest: dayText(archived.at(-1) ?? ''),
            count: archived.length,
          })}
        </p>
      )}
      {path === null ? (
        <Empty title={t('office.search.start')}>{t('office.search.startMore')}</Empty>
      ) : found.data === null ? (
        <NotThere asked={found} />
      ) : found.data.length === 0 ? (
        <div role="status" className="office-status">
          <Empty title={t('office.search.nothing')}>{t('office.search.nothingMore')}</Empty>
        </div>
      ) : (
        <Found payments={found.data} hasMore={found.more !== null}>
          <More pages={found} />
        </Found>
      )}
    </>
  );
}

function Found({
  payments,
  hasMore,
  children,
}: {
  payments: FoundPayment[];
  hasMore: boolean;
  children: React.ReactNode;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const shown = formats.number(payments.length);
  const count = useRef<HTMLParagraphElement>(null);
  // In a low window the form has all the room.
  useEffect(() => {
    // In braces: newer browsers give a promise, which is no end of an effect.
    count.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <>
      <p ref={count} className="calm" role="status">
        {hasMore
          ? t('office.search.foundMore', { shown })
          : t('office.search.found', { count: payments.length, shown })}
      </p>
      <DataTable
        label={t('office.search.results')}
        rows={payments}
        keyOf={({ payment_id }) => payment_id}
        columns={[
          {
            name: 'time',
            label: t('office.search.column.time'),
            width: '11.5rem',
            cell: ({ created_at }) => <Time at={created_at} show="dateTime" />,
          },
          {
            name: 'shop',
            label: t('office.search.column.shop'),
            width: 'minmax(7rem, 1fr)',
            cell: (payment) => <ShopLink place={payment} />,
          },
          {
            name: 'reference',
            label: t('office.search.column.reference'),
            width: 'minmax(7rem, 1fr)',
            cell: ({ payment_id, reference }) => <a href={officeHref('search', payment_id)}>{reference}</a>,
          },
          {
            name: 'amount',
            label: t('office.search.column.amount'),
            width: 'minmax(6rem, 8rem)',
            cell: ({ taken_minor, amount_minor, currency }) => (
              <span data-figures>{moneyText(formats, taken_minor ?? amount_minor, currency)}</span>
            ),
          },
          {
            name: 'status',
            label: t('office.search.column.status'),
            width: 'minmax(8rem, 9rem)',
            cell: ({ status }) => <StatusOf status={status} />,
          },
          {
            name: 'card',
            label: t('office.search.column.card'),
            width: 'minmax(6rem, 11.5rem)',
            cell: ({ card_scheme, card_digits }) => (
              <>
                {card_scheme}{' '}
                {card_digits !== null && <span className="card-digits">•••• {card_digits}</span>}
              </>
            ),
          },
        ]}
      />
      {children}
    </>
  );
}
