/** Makes a failing run shorter: leaves out entries and accidents as long as the same rule is broken. */
import { keepOnly, numbersOf, type Plan } from './plan.ts';
import { runPlan } from './run.ts';

/** The numbers that are still needed. */
export async function shrink(plan: Plan, rule: string, tell: (text: string) => void): Promise<string[]> {
  let needed = numbersOf(plan);
  const breaks = async (numbers: readonly string[]) => {
    const { findings } = await runPlan(keepOnly(plan, new Set(numbers)));
    return findings.some((finding) => finding.rule === rule);
  };
  for (let size = Math.ceil(needed.length / 2); size >= 1;) {
    let shorter = false;
    for (let from = 0; from < needed.length;) {
      const rest = [...needed.slice(0, from), ...needed.slice(from + size)];
      if (rest.length < needed.length && (await breaks(rest))) {
        needed = rest;
        shorter = true;
        tell(`${needed.length} of ${numbersOf(plan).length} steps are enough`);
      } else from += size;
    }
    if (!shorter && size === 1) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  // An accident whose entry is gone is not played.
  const entries = new Set(needed.filter((number) => !number.includes('.')));
  return needed.filter((number) => entries.has(number.split('.')[0] ?? ''));
}
