/** The entity tag that each record had when it was last seen. */

export interface Etags {
  get(version: string, resource: string, id: string): string | null;
  /** Takes the tag out of a record, if it has an id and one. */
  see(version: string, resource: string, record: unknown): void;
}

/** The records seen longest ago are forgotten. */
const maxRecords = 10_000;

export function createEtags(): Etags {
  const tags = new Map<string, string>();
  const keyOf = (version: string, resource: string, id: string) => `${version} ${resource} ${id}`;
  return {
    get: (version, resource, id) => tags.get(keyOf(version, resource, id)) ?? null,
    see(version, resource, record) {
      if (typeof record !== 'object' || record === null || !('id' in record) || !('etag' in record)) return;
      const { id, etag } = record;
      if (typeof id !== 'string' || typeof etag !== 'string') return;
      const key = keyOf(version, resource, id);
      tags.delete(key);
      tags.set(key, etag);
      const [oldest] = tags.keys();
      if (tags.size > maxRecords && oldest !== undefined) tags.delete(oldest);
    },
  };
}
