/** A field in which somebody types a shop's name; the names that fit are offered. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ShopSummary } from '../../../contract/office-page.ts';
import { Field } from '../../components/field.tsx';
import { askOffice } from '../office-client.ts';

/** As many names are offered while one is typed. */
const maxOffered = 20;

/** `named` finds a shop by its whole name, however it is written; null: there is none. */
export function useShops(): { shops: ShopSummary[]; named: (name: string) => ShopSummary | null } {
  const { data } = useQuery({
    queryKey: ['/overview'],
    queryFn: () => askOffice<{ shops: ShopSummary[] }>('/overview'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => {
    const shops = data?.shops ?? [];
    return {
      shops,
      named: (name) => shops.find((shop) => isSame(shop.name, name)) ?? null,
    };
  }, [data]);
}

export function ShopField({
  id,
  label,
  problem = null,
  isSearch = false,
  shops,
  value,
  onChange,
}: {
  /** Of the list with the names, on the whole page. */
  id: string;
  label: string;
  problem?: string | null;
  /** The key "/" leads to it. */
  isSearch?: boolean;
  shops: readonly ShopSummary[];
  value: string;
  onChange: (value: string) => void;
}) {
  const offered = useMemo(() => {
    const wanted = value.trim().toLowerCase();
    return wanted === ''
      ? []
      : shops.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, maxOffered);
  }, [shops, value]);
  return (
    <Field label={label} problem={problem}>
      {(tie) => (
        <>
          <input
            {...tie}
            list={id}
            data-search={isSearch ? true : undefined}
            autoComplete="off"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={id}>
            {offered.map(({ shopId, name }) => (
              <option key={shopId} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase();
}
