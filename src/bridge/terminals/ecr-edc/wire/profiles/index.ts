/** The profiles by name. A further bank's dialect is a file beside these, and a line here. */
import { generic } from './generic.ts';
import { kbtg } from './kbtg.ts';
import { ktb } from './ktb.ts';
import { edcProfileSchema, type EdcProfile } from './profile.ts';

const profiles: readonly EdcProfile[] = [generic, kbtg, ktb].map((data) => edcProfileSchema.parse(data));

/** Names of all profiles; the first is meant where none is named. */
export const edcProfileNames: readonly string[] = profiles.map(({ name }) => name);

/** The profile of this name, or null. */
export function edcProfile(name: string): EdcProfile | null {
  return profiles.find((profile) => profile.name === name) ?? null;
}
