/** The list of payments: only the rows that can be seen are there, however many have been loaded. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  takenMinor,
  type PaymentFilter,
  type PaymentOrder,
  type PaymentView,
} from '../../../contract/console/index.ts';
import { cardParts, cardText, type CardParts } from '../../../contract/terminal.ts';
import { DecisionMark } from '../../components/decisions/manual-decisions.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DayCells } from './day-cells.tsx';
import { dayHeightPx, headHeightPx, rowAt, rowHeightPx, rowsOf, type TableRows } from './day-rows.ts';
import { moveOfMost, rowsInSight, type SeenRow } from './scroll-place.ts';
import type { HeardChanges } from './use-payment-list.ts';

const columns = ['time', 'reference', 'amount', 'status', 'card', 'approvalCode'] as const;

export interface PaymentTableProps {
  payments: PaymentView[];
  /** There is more than what has been loaded. */
  more: boolean;
  busy: boolean;
  /** The payment that is open beside the list. */
  openId: string | null;
  order: PaymentOrder;
  /** What the payments fit, for the sums of the days. */
  filter: PaymentFilter;
  heard: HeardChanges;
  hrefOf: (transactionId: string) => string;
  onOpen: (transactionId: string) => void;
  onClose: () => void;
  /** So many rows are looked at. */
  onReach: (count: number) => void;
}

export function PaymentTable(props: PaymentTableProps) {
  const { payments, more, busy, openId, order, filter, heard, onOpen, onClose, onReach } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [activeId, setActiveId] = useState(openId);
  const table = useMemo(() => rowsOf(payments), [payments]);
  const shownDay = () => rowAt(table, table.days, scroller.current?.scrollTop ?? 0);
  const virtualizer = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (table.rows[index]?.kind === 'day' ? dayHeightPx : rowHeightPx),
    getItemKey: (index) => table.rows[index]?.key ?? index,
    overscan: 8,
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx + (table.days.length > 0 ? dayHeightPx : 0),
    useFlushSync: false,
    // The day of the first rows that are seen is always there: it stays at the top.
    rangeExtractor(range) {
      const day = shownDay();
      const rows = defaultRangeExtractor(range);
      return day === undefined || rows.includes(day) ? rows : [day, ...rows];
    },
  });
  const shown = virtualizer.getVirtualItems();
  const stickyDay = shownDay();
  const amountLength = useWidestAmount(payments);
  useScrollPlace(scroller, table);

  const lastShown = shown.at(-1)?.index ?? 0;
  const reached = lastShown + 1 - table.days.filter((row) => row <= lastShown).length;
  useEffect(() => onReach(reached), [onReach, reached]);

  const found = payments.findIndex(({ transactionId }) => transactionId === activeId);
  const active = found < 0 ? 0 : found;
  const rowId = (transactionId: string) => `${id}-${transactionId}`;
  const activeRow = table.rowOf[active];
  const activeIsThere = shown.some(({ index }) => index === activeRow);

  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), payments.length - 1);
    setActiveId(payments[index]?.transactionId ?? null);
    virtualizer.scrollToIndex(table.rowOf[index] ?? 0);
  };
  const pageRows = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 3);
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(active + pageRows()),
    PageUp: () => move(active - pageRows()),
    Home: () => move(0),
    End: () => move(payments.length - 1),
    Enter: () => {
      const payment = payments[active];
      if (payment !== undefined) onOpen(payment.transactionId);
    },
    Escape: onClose,
  };

  return (
    <div
      ref={scroller}
      className="payment-grid"
      style={{
        '--amount-width': `${amountLength + 1}ch`,
        '--time-width': table.days.length > 0 ? '6.5rem' : '11.5rem',
      }}
      role="grid"
      tabIndex={0}
      aria-label={t('payments.table')}
      aria-description={t('payments.keys')}
      aria-rowcount={more ? -1 : table.rows.length + 1}
      aria-colcount={columns.length}
      aria-busy={busy}
      aria-activedescendant={activeIsThere ? rowId(payments[active]?.transactionId ?? '') : undefined}
      data-payments
      onKeyUp={({ key }) => {
        // Come here by Tab: the row on which the keys begin may be scrolled away.
        if (key === 'Tab') virtualizer.scrollToIndex(activeRow ?? 0);
      }}
      onKeyDown={(event) => {
        const act = keys[event.key];
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
      }}
    >
      <div role="rowgroup" className="payment-grid-head">
        <div role="row" aria-rowindex={1} className="payment-row">
          {columns.map((column) => (
            <span
              key={column}
              role="columnheader"
              className={`cell-${column}`}
              aria-sort={sortedBy(order)[column]}
            >
              {t(`payments.column.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="payment-grid-body" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const row = table.rows[index];
          if (row === undefined) return null;
          const place = { transform: `translateY(${start - headHeightPx}px)` };
          if (row.kind === 'day') {
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className="payment-day-row"
                data-sticky={index === stickyDay}
                style={index === stickyDay ? undefined : place}
              >
                <DayCells day={row.day} at={row.at} filter={filter} heard={heard} span={columns.length} />
              </div>
            );
          }
          const { payment } = row;
          return (
            <div
              key={key}
              id={rowId(payment.transactionId)}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={payment.transactionId === openId}
              className="payment-row"
              data-active={index === activeRow}
              style={place}
              onClick={(event) => {
                // With Ctrl or Shift the link in the row is the browser's.
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setActiveId(payment.transactionId);
                onOpen(payment.transactionId);
              }}
            >
              <PaymentCells payment={payment} timeOnly={table.days.length > 0} hrefOf={props.hrefOf} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function sortedBy(order: PaymentOrder): Partial<Record<string, 'ascending' | 'descending'>> {
  if (order === 'newest') return { time: 'descending' };
  if (order === 'oldest') return { time: 'ascending' };
  return { amount: order === 'highest' ? 'descending' : 'ascending' };
}

/** Kept as they are while other payments change: each change of one would put all rows in sight into words anew. */
const PaymentCells = memo(function PaymentCells({
  payment,
  timeOnly,
  hrefOf,
}: {
  payment: PaymentView;
  /** The day stands above. */
  timeOnly: boolean;
  hrefOf: (transactionId: string) => string;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <span role="gridcell" className="cell-time">
        <Time at={payment.createdAt} show={timeOnly ? 'time' : 'dateTime'} />
      </span>
      <span role="gridcell" className="cell-reference" title={payment.reference}>
        <a href={hrefOf(payment.transactionId)} tabIndex={-1}>
          <MiddleCut text={payment.reference} />
        </a>
      </span>
      <span role="gridcell" className="cell-amount">
        {formats.money(takenMinor(payment), payment.currency)}
      </span>
      <span role="gridcell" className="cell-status">
        <PaymentStatus status={payment.status} />
        <DecisionMark decisions={payment.decisions} />
      </span>
      <span role="gridcell" className="cell-card" title={cardText(payment) ?? undefined}>
        <Card card={cardParts(payment)} />
      </span>
      <span role="gridcell" className="cell-approvalCode">
        {payment.approvalCode ?? t('payments.noCard')}
      </span>
    </>
  );
});

/** Where there is little room the scheme is cut, never the digits. */
function Card({ card }: { card: CardParts | null }) {
  const { t } = useTranslation();
  if (card === null) return t('payments.noCard');
  const { scheme, digits } = card;
  return (
    <>
      {scheme !== null && <span className="card-scheme">{scheme} </span>}
      {digits !== null && <span>{digits}</span>}
    </>
  );
}

/** Characters of the longest amount, for which the column must have room: a figure less would be another amount. */
function useWidestAmount(payments: PaymentView[]): number {
  const formats = useFormats();
  return useMemo(
    () =>
      payments.reduce(
        (widest, payment) => Math.max(widest, formats.money(takenMinor(payment), payment.currency).length),
        0,
      ),
    [payments, formats],
  );
}

/**
 * What is looked at stays where it is when rows come or go above it, also when one of the rows in sight goes elsewhere
 * (sorted by amount, with what the terminal took for it). At the very top the newest row is shown.
 */
function useScrollPlace(scroller: React.RefObject<HTMLDivElement | null>, table: TableRows): void {
  /** Where the rows in sight began. */
  const inSight = useRef<SeenRow[]>([]);
  const placed = useRef(table);
  useLayoutEffect(() => {
    const element = scroller.current;
    // Without a height it is hidden behind an open payment, and knows no place.
    if (element === null || element.clientHeight === 0) return;
    if (element.scrollTop > 0 && placed.current !== table) {
      const move = moveOfMost(inSight.current, table);
      if (move !== 0) element.scrollTop += move;
    }
    placed.current = table;
    inSight.current = rowsInSight(table, element.scrollTop, element.clientHeight);
  });
}
