/** THIRD-PARTY-NOTICES.txt: who wrote what is shipped beside our own code, and under which terms. */
import type { Licences } from '../../src/contract/console/index.ts';
import type { PackageFacts } from './package-facts.ts';

const line = '='.repeat(80);

/** The same text for the same packages, in whatever order they come. */
export function noticeText(title: string, packages: PackageFacts[]): string {
  const sections = noticeSections(packages).map(
    ({ packages, text }) => `${line}\n${packages.join('\n')}\n\n${text}\n`,
  );
  return `${title}\n\n${sections.join('\n')}`;
}

/** Packages with one and the same licence share it. */
export function noticeSections(packages: PackageFacts[]): Licences['others'] {
  const byText = new Map<string, Map<string, PackageFacts>>();
  for (const facts of packages.toSorted(byName)) {
    const sharing = byText.get(facts.text) ?? new Map<string, PackageFacts>();
    byText.set(facts.text, sharing.set(heading(facts), facts));
  }
  return [...byText].map(([text, sharing]) => ({ packages: [...sharing.keys()], text }));
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
