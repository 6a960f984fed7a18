/** The money of closed batches as a running host follows it: when something was found, and which batches are overdue. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../log/index.ts';
import type { ConsoleChanges } from './console-changes.ts';
import { moneyFiles, type MoneyPlace } from './money-place.ts';
import { createMoneyWatch, type MoneyWatch } from './money-watch.ts';
import { onceFound } from './once-found.ts';

export interface HostMoney {
  readonly watch: MoneyWatch;
  /** Their ids, as they were read last. */
  readonly overdueBatches: readonly string[];
  /** Reads them anew; where they are others now, the console is told. */
  look(): void;
}

export function createHostMoney(options: {
  clock: Clock;
  log: Log;
  place(): MoneyPlace;
  changes: Pick<ConsoleChanges, 'hasSubscribers' | 'publish' | 'stateChanged'>;
}): HostMoney {
  const { clock, log, place, changes } = options;
  const overdue = onceFound(place, (code) => code.createOverdueBatches({ place, log }));
  let overdueBatches: readonly string[] = [];

  function look() {
    overdue().then(
      (batches) => {
        if (batches?.look() !== true) return;
        overdueBatches = batches.ids;
        changes.stateChanged();
      },
      (err: unknown) => log.error('what was found of the money cannot be read', { err }),
    );
  }

  return {
    watch: createMoneyWatch({
      clock,
      files: () => Object.values(moneyFiles(place())),
      isWatched: () => changes.hasSubscribers,
      onChange() {
        changes.publish({ kind: 'money' });
        look();
      },
    }),
    get overdueBatches() {
      return overdueBatches;
    },
    look,
  };
}
