/** What a release changes in the texts of the repository. */

const versionPattern = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/;

/** Why `next` cannot follow `current`, or null. */
export function versionProblem(current: string, next: string): string | null {
  const [, ...was] = versionPattern.exec(current) ?? [];
  const [, ...is] = versionPattern.exec(next) ?? [];
  if (is.length === 0) return `${next} is no version: three numbers, such as 0.2.0, or 0.2.0-beta.1.`;
  const differing = is.findIndex((part, index) => part !== was[index]);
  const isAfter = differing >= 0 && Number(is[differing]) > Number(was[differing]);
  // A pre-release comes before the version that it is named after.
  const isOutOfPreRelease = differing < 0 && current.includes('-') && current !== next;
  return isAfter || isOutOfPreRelease ? null : `${next} does not come after ${current}.`;
}

/** `json` with its first `times` versions set; throws when they are not what they should be. */
export function setVersion(json: string, current: string, next: string, times: number): string {
  let text = json;
  for (let index = 0; index < times; index += 1) {
    const changed = text.replace(`"version": "${current}"`, `"version": "${next}"`);
    if (changed === text) throw new Error(`package.json and package-lock.json do not agree on ${current}.`);
    text = changed;
  }
  return text;
}

const unreleased = '## [Unreleased]\n';

/** The changelog with what is unreleased under its version and day, and these lines as the release's notes. */
export function releasedChangelog(
  changelog: string,
  version: string,
  day: string,
): { changelog: string; notes: string } {
  const start = changelog.indexOf(unreleased);
  if (start < 0) throw new Error('CHANGELOG.md has no heading "## [Unreleased]".');
  const after = start + unreleased.length;
  const next = changelog.indexOf('\n## [', after);
  const notes = changelog.slice(after, next < 0 ? undefined : next).trim();
  if (notes === '') throw new Error('CHANGELOG.md has nothing unreleased.');
  const heading = `${unreleased}\n## [${version}] - ${day}\n`;
  return { changelog: changelog.slice(0, start) + heading + changelog.slice(after), notes };
}
