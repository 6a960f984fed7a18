/** All shops, the worst first. With thousands of them the list is long: after a notice only those it names are asked for. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { maxShopsAtOnce, worstFirst, type ShopSummary } from '../../../contract/office-page.ts';
import { askOffice } from '../office-client.ts';
import { askedOf, useOffice, type Asked } from '../session.tsx';

interface Shops {
  shops: ShopSummary[];
}

const path = '/overview';
/** So long after a change, so that one request serves all that come together. */
const gatherMs = 300;
const everyMs = 5_000;
/** A shop that falls silent tells nobody so. */
const silentEveryMs = 60_000;

export function useOverview(): Asked<Shops> {
  const { subscribe } = useOffice();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: [path], queryFn: () => askOffice<Shops>(path) });

  useEffect(() => {
    const changed = new Set<string>();
    let isAny = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isAsking = false;
    let hasEnded = false;
    let lastMs = Number.NEGATIVE_INFINITY;

    const plan = () => {
      // One at a time: of two answers nobody knows which is the newer one.
      if (timer !== null || isAsking || hasEnded) return;
      timer = setTimeout(() => void ask(), Math.max(gatherMs, lastMs + everyMs - performance.now()));
    };
    const ask = async () => {
      timer = null;
      isAsking = true;
      lastMs = performance.now();
      const ids = [...changed];
      const isWhole = isAny || ids.length > maxShopsAtOnce;
      changed.clear();
      isAny = false;
      try {
        if (isWhole) await queries.refetchQueries({ queryKey: [path] });
        else await askForSome(ids);
      } finally {
        isAsking = false;
        if (isAny || changed.size > 0) plan();
      }
    };
    const askForSome = async (ids: readonly string[]) => {
      try {
        const { shops } = await askOffice<Shops>(`${path}?shops=${ids.join(',')}`);
        queries.setQueryData<Shops>([path], (before) => before && merged(before, shops));
      } catch {
        // The whole list is refused as well then, and the page says why.
        await queries.refetchQueries({ queryKey: [path] });
      }
    };

    const end = subscribe(({ shops }) => {
      if (shops === null) isAny = true;
      for (const shop of shops ?? []) changed.add(shop);
      plan();
    });
    const silence = setInterval(() => {
      isAny = true;
      plan();
    }, silentEveryMs);
    return () => {
      hasEnded = true;
      end();
      clearInterval(silence);
      if (timer !== null) clearTimeout(timer);
    };
  }, [subscribe, queries]);

  return askedOf(query);
}

function merged({ shops }: Shops, changed: readonly ShopSummary[]): Shops {
  const ids = new Set(changed.map(({ shopId }) => shopId));
  return { shops: [...shops.filter(({ shopId }) => !ids.has(shopId)), ...changed].toSorted(worstFirst) };
}
