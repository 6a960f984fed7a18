import { transactionStatusSchema } from '../../../contract/operation.ts';
import { PaymentStatus } from '../../components/status-mark.tsx';

/** A payment's status; one that a newer bridge has stays as it is. */
export function StatusOf({ status, large = false }: { status: string; large?: boolean }) {
  const known = transactionStatusSchema.safeParse(status);
  return known.success ? <PaymentStatus status={known.data} large={large} /> : <span>{status}</span>;
}
