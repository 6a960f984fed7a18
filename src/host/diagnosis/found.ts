import type { DiagnosisFinding, DiagnosisFindingName } from '../../contract/console/index.ts';

/** A finding with nothing but what is given. Texts are cut to what the contract carries. */
export function found(
  finding: DiagnosisFindingName,
  more: Partial<Omit<DiagnosisFinding, 'finding'>> = {},
): DiagnosisFinding {
  const { values = {}, said = null, command = null, at = null } = more;
  const bounded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, 300) : value,
  ]);
  return { finding, values: Object.fromEntries(bounded), said: said?.slice(0, 2_000) ?? null, command, at };
}
