/** The list of payments: only the rows that can be seen are there, however many have been loaded. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentView } from '../../../contract/console/index.ts';
import { cardParts, cardText, type CardParts } from '../../../contract/terminal.ts';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats, takenMinor } from '../../messages/formats.ts';

/** As in payments.css. */
const rowHeightPx = 42;
const headHeightPx = 36;
const columns = ['time', 'reference', 'amount', 'status', 'card', 'approvalCode'] as const;

export interface PaymentTableProps {
  payments: PaymentView[];
  /** There is more than what has been loaded. */
  more: boolean;
  busy: boolean;
  /** The payment that is open beside the list. */
  openId: string | null;
  /** All rows are of one day, so the time says enough. */
  oneDay: boolean;
  hrefOf: (transactionId: string) => string;
  onOpen: (transactionId: string) => void;
  onClose: () => void;
  /** So many rows are looked at. */
  onReach: (count: number) => void;
}

export function PaymentTable(props: PaymentTableProps) {
  const { payments, more, busy, openId, onOpen, onClose, onReach } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [activeId, setActiveId] = useState(openId);
  const virtualizer = useVirtualizer({
    count: payments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => payments[index]?.transactionId ?? index,
    overscan: 8,
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx,
    useFlushSync: false,
  });
  const rows = virtualizer.getVirtualItems();
  const amountLength = useWidestAmount(payments);
  useScrollPlace(scroller, payments);

  const reached = (rows.at(-1)?.index ?? 0) + 1;
  useEffect(() => onReach(reached), [onReach, reached]);

  const found = payments.findIndex(({ transactionId }) => transactionId === activeId);
  const active = found < 0 ? 0 : found;
  const rowId = (transactionId: string) => `${id}-${transactionId}`;
  const activeRow = rows.find(({ index }) => index === active);

  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), payments.length - 1);
    setActiveId(payments[index]?.transactionId ?? null);
    virtualizer.scrollToIndex(index);
  };
  const pageRows = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2);
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
      style={{ '--amount-width': `${amountLength + 1}ch` }}
      role="grid"
      tabIndex={0}
      aria-label={t('payments.table')}
      aria-description={t('payments.keys')}
      aria-rowcount={more ? -1 : payments.length + 1}
      aria-colcount={columns.length}
      aria-busy={busy}
      aria-activedescendant={
        activeRow === undefined ? undefined : rowId(payments[activeRow.index]?.transactionId ?? '')
      }
      data-payments
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
            <span key={column} role="columnheader" className={`cell-${column}`}>
              {t(`payments.column.${column}`)}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="payment-grid-body" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start, key }) => {
          const payment = payments[index];
          if (payment === undefined) return null;
          return (
            <div
              key={key}
              id={rowId(payment.transactionId)}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={payment.transactionId === openId}
              className="payment-row"
              data-active={index === active}
              style={{ transform: `translateY(${start - headHeightPx}px)` }}
              onClick={(event) => {
                // With Ctrl or Shift the link in the row is the browser's.
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                setActiveId(payment.transactionId);
                onOpen(payment.transactionId);
              }}
            >
              <PaymentCells payment={payment} {...props} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function PaymentCells({
  payment,
  oneDay,
  hrefOf,
}: Pick<PaymentTableProps, 'oneDay' | 'hrefOf'> & { payment: PaymentView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <span role="gridcell" className="cell-time">
        <Time at={payment.createdAt} show={oneDay ? 'time' : 'dateTime'} />
      </span>
      <span role="gridcell" className="cell-reference" title={payment.reference}>
        <a href={hrefOf(payment.transactionId)} tabIndex={-1}>
          {payment.reference}
        </a>
      </span>
      <span role="gridcell" className="cell-amount">
        {formats.money(takenMinor(payment), payment.currency)}
      </span>
      <span role="gridcell" className="cell-status">
        <PaymentStatus status={payment.status} />
      </span>
      <span role="gridcell" className="cell-card" title={cardText(payment) ?? undefined}>
        <Card card={cardParts(payment)} />
      </span>
      <span role="gridcell" className="cell-approvalCode">
        {payment.approvalCode ?? t('payments.noCard')}
      </span>
    </>
  );
}

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

/** What is looked at stays where it is when rows come or go above it. At the very top the newest row is shown. */
function useScrollPlace(scroller: React.RefObject<HTMLDivElement | null>, payments: PaymentView[]): void {
  const anchor = useRef<{ id: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const before = anchor.current;
    if (before !== null && element.scrollTop > 0) {
      const index = payments.findIndex(({ transactionId }) => transactionId === before.id);
      if (index >= 0 && index !== before.index) element.scrollTop += (index - before.index) * rowHeightPx;
    }
    const index = Math.min(Math.floor(element.scrollTop / rowHeightPx), payments.length - 1);
    const at = payments[index];
    anchor.current = at === undefined ? null : { id: at.transactionId, index };
  });
}
