/** The highest version that each feed has shown, so that nobody can play back an older list of it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../base/atomic-file.ts';
import type { Log } from '../log/index.ts';
import { isVersion } from '../base/versions.ts';

export interface SeenVersions {
  /** `feed`: its address with its key and channel. */
  of(feed: string): string | null;
  add(feed: string, version: string): void;
}

const maxFeeds = 20;
const fileSchema = z.record(z.string(), z.string().refine(isVersion));

/** In `file`, which need not exist. What cannot be read or kept costs this protection, and nothing else. */
export function openSeenVersions(file: string, log: Log): SeenVersions {
  let seen = read(file);
  return {
    of: (feed) => seen[feed] ?? null,
    add(feed, version) {
      const others = Object.entries(seen).filter(([other]) => other !== feed);
      seen = Object.fromEntries([...others.slice(1 - maxFeeds), [feed, version]]);
      try {
        replaceFile(file, JSON.stringify(seen));
      } catch (error) {
        log.warn('the versions that the update feed has shown cannot be kept', { err: error });
      }
    },
  };
}

function read(file: string): Record<string, string> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
