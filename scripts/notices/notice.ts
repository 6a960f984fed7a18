/** THIRD-PARTY-NOTICES.txt: who wrote what is shipped beside our own code, and under which terms. */
import type { PackageFacts } from './package-facts.ts';

const line = '='.repeat(80);

/** The same text for the same packages, in whatever order they come. Packages with one and the same licence share it. */
export function noticeText(title: string, packages: PackageFacts[]): string {
  const byText = new Map<string, Map<string, PackageFacts>>();
  for (const facts of packages.toSorted(byName)) {
    const sharing = byText.get(facts.text) ?? new Map<string, PackageFacts>();
    byText.set(facts.text, sharing.set(heading(facts), facts));
  }
  const sections = [...byText].map(
    ([text, sharing]) => `${line}\n${[...sharing.keys()].join('\n')}\n\n${text}\n`,
  );
  return `${title}\n\n${sections.join('\n')}`;
}

function heading({ name, version, license, homepage }: PackageFacts): string {
  return `${name} ${version}, ${license}${homepage === null ? '' : `, ${homepage}`}`;
}

/** By code units, so that every system sorts alike. */
function byName(one: PackageFacts, other: PackageFacts): number {
  const [first, second] = [heading(one), heading(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
