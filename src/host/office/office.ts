/** The head office as the host has it: none, or a link to the one of the settings, whose code is loaded only then. */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/index.ts';
import type { OfficeLink, OfficeStatus } from './office-link.ts';
import type { OfficeSource } from './office-source.ts';

interface OfficeSettings {
  office: string | null;
  officeCode: string | null;
}

export interface Office {
  /** The settings, or the bridge that runs, may be others than before. */
  follow(settings: OfficeSettings): void;
  /** Something that `/health` knows may be different. */
  stateChanged(): void;
  /** Null: there is none in the settings. */
  status(): OfficeStatus | null;
  stop(): void;
}

export interface OfficeOptions {
  clock: Clock;
  chance: Chance;
  version: string;
  log: Log;
  fetch: typeof fetch;
  dataDir: string;
  source: OfficeSource;
}

export function createOffice(options: OfficeOptions): Office {
  const { log } = options;
  let current: (OfficeSettings & { link: OfficeLink | null }) | null = null;
  let stopped = false;

  async function load(wanted: NonNullable<typeof current>, url: string) {
    try {
      const { createOfficeLink } = await import('./office-link.ts');
      if (current !== wanted) return;
      wanted.link = createOfficeLink({ ...options, url, code: wanted.officeCode });
    } catch (err) {
      log.error('what sends to the head office cannot be loaded', { err });
    }
  }

  function end() {
    current?.link?.stop();
    current = null;
  }

  return {
    follow({ office, officeCode }) {
      if (stopped) return;
      if (current?.office === office && current.officeCode === officeCode) {
        current.link?.follow();
        return;
      }
      end();
      if (office === null) return;
      current = { office, officeCode, link: null };
      void load(current, office);
    },
    stateChanged: () => current?.link?.stateChanged(),
    status: () => current?.link?.status() ?? null,
    stop() {
      stopped = true;
      end();
    },
  };
}
