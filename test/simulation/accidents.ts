/** Brings about the accidents of an entry of the plan, each at its moment. */
import type { Accident, Entry } from './plan.ts';
import type { Manager } from './manager.ts';
import type { Shop } from './shop.ts';
import type { Till } from './till.ts';
import { payManually } from './hands.ts';

export interface Accidents {
  /** Waits for the moments of this entry from now on; those of earlier ones that have not come are given up. */
  arm(entry: Entry): void;
  /** No more of them, and what still lasts ends. */
  end(): void;
}

const silenceMs = 500;

/** As the tables have it: a power cut is no kill, and a full disk no failing one. */
function nameOf(accident: Accident): string {
  if (accident.kind === 'cable') return `cable ${accident.disturbance.kind}`;
  if (accident.kind === 'disk') return `disk ${accident.trouble}`;
  return accident.kind === 'kill' && accident.power ? 'power cut' : accident.kind;
}

export function createAccidents(shop: Shop, till: Till, manager: Manager): Accidents {
  const { world, terminal, cable, disk } = shop;
  let pending: { left: number; accident: Accident }[] = [];
  let second = false;
  const lasting = new Set<() => void>();

  shop.onMoment = () => {
    if (pending.length === 0) return;
    const due: Accident[] = [];
    pending = pending.filter((one) => {
      one.left -= 1;
      if (one.left <= 0) due.push(one.accident);
      return one.left > 0;
    });
    for (const accident of due) {
      if (comesFromOutside(accident)) world.after(0, () => happen(accident));
      else happen(accident);
    }
  };

  /** Ends by itself after `durationMs`, or with all the others. */
  function last(durationMs: number, end: () => void): void {
    const finish = () => {
      if (lasting.delete(finish)) end();
    };
    lasting.add(finish);
    world.after(durationMs, finish);
  }

  function startSecond(durationMs: number): void {
    if (second) return;
    second = true;
    const end = shop.startSecond();
    last(durationMs, () => {
      second = false;
      end();
    });
  }

  /** What comes over the network or from outside the process comes in a turn of its own, never in the middle of one. */
  function comesFromOutside({ kind }: Accident): boolean {
    return ['cancel', 'query', 'go_away', 'other_sale', 'repeat_request', 'wall_clock'].includes(kind);
  }

  function happen(accident: Accident): void {
    if (shop.calm) return;
    shop.count(`accident ${nameOf(accident)}`);
    shop.trace(() => `accident: ${JSON.stringify(accident)}`);
    switch (accident.kind) {
      case 'cable':
        return cable.disturb(accident.direction, accident.disturbance, accident.pieces);
      case 'cut':
        return cable.cut(accident.durationMs);
      case 'kill':
        if (shop.process === null) return;
        shop.kill(accident.power);
        return last(accident.downMs, () => shop.start());
      case 'freeze':
      case 'sleep': {
        const { process } = shop;
        if (process === null || process.clock.halted) return;
        process.clock.halt();
        // What the terminal says again meanwhile is answered twice afterwards.
        shop.noteResent();
        const sinceMs = world.elapsed();
        return last(accident.durationMs, () =>
          process.clock.goOn(accident.kind === 'sleep' ? world.elapsed() - sinceMs : 0),
        );
      }
      case 'wall_clock':
        return shop.process?.clock.setWall(accident.byMs);
      case 'disk': {
        const ledgerFrom = shop.ledgerBytes();
        disk.trouble = accident.trouble;
        return last(accident.durationMs, () => {
          disk.trouble = null;
          shop.note({ kind: 'disk', ledgerFrom, ledgerTo: shop.ledgerBytes() });
        });
      }
      case 'terminal_power':
        return terminal.losePower(accident.durationMs);
      case 'terminal_reboot':
        return terminal.reboot();
      case 'second_bridge':
        return startSecond(accident.durationMs);
      case 'cancel':
        return void till.cancel(till.current);
      case 'query':
        if (till.current !== null) void till.query(till.current, null);
        return;
      case 'go_away':
        return till.goAway();
      case 'other_sale':
        return void till.create(till.begin(`OTHER-${shop.order}`, 4_321), null);
      case 'repeat_request':
        if (till.current !== null) void till.create(till.current, null);
        return;
      case 'early_decision':
        // A person needs a moment.
        return void world.after(silenceMs, () => manager.decideNow(accident.right, accident.unreachable));
      case 'hand_payment': {
        const amountMinor = accident.sameAmount ? (till.current?.amountMinor ?? 700) : 777;
        return void world.after(silenceMs, () => payManually(shop, amountMinor));
      }
    }
  }

  return {
    arm(entry) {
      pending = [];
      for (const { when, accident } of entry.accidents) {
        if ('moments' in when) pending.push({ left: when.moments, accident });
        else world.after(when.ms, () => happen(accident));
      }
    },
    end() {
      shop.calm = true;
      pending = [];
      for (const finish of lasting) finish();
      cable.repair();
      disk.trouble = null;
    },
  };
}
