/** Which papers a receipt consists of: one for each copy of the sale, and of the void that undid it. */
import type { Receipt, ReceiptSlip } from '../../../contract/console/index.ts';
import type { ReceiptCopy } from '../../../contract/terminal.ts';

export const wantedCopies = ['both', 'customer', 'merchant'] as const;
export type WantedCopies = (typeof wantedCopies)[number];

export interface Paper {
  key: string;
  slip: ReceiptSlip;
  /** Null: the terminal sent it and did not say whose it is. */
  copy: ReceiptCopy | null;
  /** The terminal's own lines; null: it sent none for this copy, and the journal's facts make the receipt. */
  lines: string[] | null;
}

/** The customer's before the merchant's, the sale before its void. */
export function papersOf({ slips }: Receipt, wanted: WantedCopies): Paper[] {
  const copies = wanted === 'both' ? (['customer', 'merchant'] as const) : [wanted];
  return slips.flatMap((slip) => {
    const papers = copies.flatMap((copy) => printedFor(slip, copy) ?? [made(slip, copy)]);
    // A receipt that does not say whose it is would come once for each copy.
    return papers.filter((paper, at) => papers.findIndex(({ key }) => key === paper.key) === at);
  });
}

/** What the terminal sent for this copy, or without saying for which; null when there is nothing. */
function printedFor(slip: ReceiptSlip, copy: 'customer' | 'merchant'): Paper[] | null {
  const all = slip.printed.map(({ copy: of, lines }, at): Paper => ({
    key: `${slip.operationId}-${at}`,
    slip,
    copy: of,
    lines,
  }));
  const own = all.filter((paper) => paper.copy === copy);
  if (own.length > 0) return own;
  const untold = all.filter((paper) => paper.copy === null);
  return untold.length === 0 ? null : untold;
}

function made(slip: ReceiptSlip, copy: ReceiptCopy): Paper {
  return { key: `${slip.operationId}-${copy}`, slip, copy, lines: null };
}
