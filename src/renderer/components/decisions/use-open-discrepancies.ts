/** The open discrepancies: those of the state, and the pages behind them as far as they were asked for. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleRefusal } from '../../../contract/console/index.ts';
import type { DiscrepancyView } from '../../../contract/discrepancy.ts';
import type { ConsoleClient } from '../../store/console-client.ts';
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
  const behind = first.at(-1)?.seq ?? 0;
  // The count: when one is found or acknowledged, another one is the first behind those of the state.
  const { data, isFetching } = useQuery({
    queryKey: ['discrepancies', behind, pages, discrepancyCount],
    queryFn: () => fetchPages(client, behind, pages),
    enabled: pages > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const further = data?.found.filter(({ seq }) => seq > behind) ?? [];
  const discrepancies = [...first, ...further];
  return {
    discrepancies,
    hidden: Math.max(0, discrepancyCount - discrepancies.length),
    busy: isFetching,
    refusal: data?.refusal ?? null,
    showMore: () => setPages(pages + 1),
  };
}

/** Up to a refusal: what was found before it is shown all the same. */
async function fetchPages(
  client: ConsoleClient,
  behind: number,
  pages: number,
): Promise<{ found: DiscrepancyView[]; refusal: ConsoleRefusal | null }> {
  const found: DiscrepancyView[] = [];
  for (let page = 0; page < pages; page += 1) {
    const result = await client.invoke('discrepancies', { after: found.at(-1)?.seq ?? behind });
    if (!result.ok) return { found, refusal: result.refusal };
    if (result.value.discrepancies.length === 0) break;
    found.push(...result.value.discrepancies);
  }
  return { found, refusal: null };
}
