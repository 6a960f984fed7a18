/** The open discrepancies: those of the state, and the pages behind them as far as they were asked for. */
import { useEffect, useState } from 'react';
import type { ConsoleRefusal } from '../../../contract/console/index.ts';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import { useClient, useConsoleState } from '../../store/console-context.tsx';

export interface OpenDiscrepancies {
  /** Oldest first. */
  discrepancies: DiscrepancyView[];
  /** How many are open and not shown. */
  hidden: number;
  busy: boolean;
  refusal: ConsoleRefusal | null;
  showMore: () => void;
}

export function useOpenDiscrepancies(): OpenDiscrepancies {
  const client = useClient();
  const { discrepancies: first, discrepancyCount } = useConsoleState();
  const [pages, setPages] = useState(0);
  const [further, setFurther] = useState<DiscrepancyView[]>([]);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ConsoleRefusal | null>(null);
  const behind = first.at(-1)?.seq ?? 0;

  // Again when one is found or acknowledged: then another one is the first behind those of the state.
  useEffect(() => {
    let wanted = true;
    const read = async () => {
      const found: DiscrepancyView[] = [];
      for (let page = 0, after = behind; page < pages; page += 1) {
        const result = await client.invoke('discrepancies', { after });
        if (!wanted) return;
        setRefusal(result.ok ? null : result.refusal);
        if (!result.ok || result.value.discrepancies.length === 0) break;
        found.push(...result.value.discrepancies);
        after = found.at(-1)?.seq ?? after;
      }
      setFurther(found);
      setBusy(false);
    };
    setBusy(pages > 0);
    void read();
    return () => {
      wanted = false;
    };
  }, [client, pages, behind, discrepancyCount]);

  const discrepancies = [...first, ...further.filter(({ seq }) => seq > behind)];
  return {
    discrepancies,
    hidden: Math.max(0, discrepancyCount - discrepancies.length),
    busy,
    refusal,
    showMore: () => setPages(pages + 1),
  };
}
