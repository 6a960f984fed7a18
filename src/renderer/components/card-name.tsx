import { cardParts } from '../../contract/terminal.ts';
import type { PaymentView } from '../../contract/console/index.ts';

/** "girocard •••• 4771", broken between its parts alone. Nothing when nothing is known of the card. */
export function CardName({ payment }: { payment: PaymentView }) {
  const parts = cardParts(payment);
  if (parts === null) return null;
  return (
    <span className="card-name">
      {parts.scheme} <span className="card-digits">{parts.digits}</span>
    </span>
  );
}
