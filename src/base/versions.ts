/** Versions and their order, as in semantic versioning 2.0.0 (clause 11). */

const pattern = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,20}))?$/;

export function isVersion(text: string): boolean {
  return pattern.test(text);
}

/** Below zero when `one` comes before `other`. Both must be versions; throws otherwise. */
export function compareVersions(one: string, other: string): number {
  const [ones, others] = [partsOf(one), partsOf(other)];
  for (const [index, number] of ones.numbers.entries()) {
    const difference = number - (others.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before the version that it is named after.
  if (ones.preRelease.length === 0 || others.preRelease.length === 0)
    return others.preRelease.length - ones.preRelease.length;
  return comparePreReleases(ones.preRelease, others.preRelease);
}

function comparePreReleases(ones: string[], others: string[]): number {
  for (const [index, one] of ones.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [oneIsNumber, otherIsNumber] = [one, other].map((part) => /^\d+$/.test(part));
    if (oneIsNumber === true && otherIsNumber === true) return Number(one) - Number(other);
    if (oneIsNumber !== otherIsNumber) return oneIsNumber === true ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return ones.length - others.length;
}

function partsOf(version: string): { numbers: number[]; preRelease: string[] } {
  const [, major, minor, patch, preRelease] = pattern.exec(version) ?? [];
  if (major === undefined) throw new Error(`${version} is no version`);
  return { numbers: [major, minor, patch].map(Number), preRelease: preRelease?.split('.') ?? [] };
}
