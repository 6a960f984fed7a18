/** What is said of the money of a batch: who has decided, names of batches, days, and the fee in per cent. */
import { Gavel } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MoneyEntry, MoneyRow } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';

/** Somebody has decided since it was looked for. */
export function DecidedSince() {
  const { t } = useTranslation();
  return (
    <span className="money-below money-decided">
      <Gavel aria-hidden="true" /> {t('money.decidedSince')}
    </span>
  );
}

/** More of them would tell nobody anything. */
const maxNamed = 3;

/** Names batches by their numbers, and those without one by the day. */
export function useBatchNames(): (batches: MoneyEntry['possibleFor']) => string {
  const formats = useFormats();
  return (batches) => {
    const names = batches
      .slice(0, maxNamed)
      .map(({ number, closedAt }) => number ?? formats.shortDay(new Date(closedAt)));
    return [...names, ...(batches.length > maxNamed ? ['…'] : [])].join(', ');
  };
}

const dayMs = 86_400_000;

/** Days of the calendar from one to the other. */
export function daysBetween(from: string, until: string): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / dayMs);
}

type Part = Pick<MoneyRow['part'], 'state' | 'grossMinor' | 'feeMinor' | 'expectedMinor'>;

/** Shares of the gross amount, 0 to 1; null where they cannot be told, or where there is nothing to have a share in. */
export interface Fee {
  agreed: number | null;
  /** What was kept back; told only of what has arrived as it should: what is missing of the rest is no fee. */
  taken: number | null;
  /** It is billed apart, and nothing is kept back. */
  apart: boolean;
}

export function feeOf(
  { state, grossMinor, feeMinor, expectedMinor }: Part,
  arrivedMinor: number | null,
): Fee {
  const isTold = grossMinor !== null && grossMinor > 0 && feeMinor !== null;
  const apart = isTold && feeMinor !== 0 && expectedMinor === grossMinor;
  return {
    agreed: isTold ? feeMinor / grossMinor : null,
    taken:
      state !== 'arrived' || grossMinor === null || grossMinor <= 0 || arrivedMinor === null || apart
        ? null
        : (grossMinor - arrivedMinor) / grossMinor,
    apart,
  };
}
