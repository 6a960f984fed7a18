/**
 * Decides what a person is notified of, when, and when it is taken back. It knows nothing of how a notification looks.
 *
 *     needed ──► waiting ── 3 s, terminal: 30 s ──► told ── gone for 3 s ──► forgotten
 *                   └──────────── gone ──────────────────────────────────────────┘
 *
 * What waits already is never told twice: not when the bridge starts again, and not when a page is loaded again.
 */
import type { Clock } from '../base/clock.ts';
import type { ConsoleState } from '../contract/console/index.ts';
import { keyOf, named, personNeeds, terminalsOf, type PersonNeed } from './person-needs.ts';

/** `lost`: the terminal cannot be reached. `money`: that of a closed batch is overdue, which nobody at the till has to hear. */
type NotifiedNeed =
  PersonNeed | { key: string; kind: 'lost'; onTerminal?: string } | { key: string; kind: 'money' };

/** What one notification is about: what became due together, of one kind. */
export interface Notice {
  /** At least one. */
  needs: readonly NotifiedNeed[];
  /** It is not about money: it is shown without a sound. */
  quiet: boolean;
  /** Where it is dealt with: the part of the page's address behind `#`, with it. */
  place: string;
}

export interface Notifier {
  /** The state as it is now. */
  look(state: ConsoleState): void;
  /** Somebody has the window in front, which shows all of it: what is shown beside it goes. */
  seen(): void;
  /** Turned off: what is shown goes, and nothing is shown; it goes on looking. */
  turn(on: boolean): void;
}

interface NotifierOptions {
  clock: Pick<Clock, 'after'>;
  on: boolean;
  /** Somebody has the window in front: then nothing needs to be told beside it. */
  isInFront(): boolean;
  /** Shows a notification; the result takes it back. */
  show(notice: Notice): () => void;
  /** Keys that were told before a page was loaded again. */
  told?: readonly string[];
  onTold?: (keys: string[]) => void;
}

type NeedKind = NotifiedNeed['kind'];

/** Nothing that goes by itself at once is worth looking up for; a terminal starts again, or gets its paper. */
const waitMs: Record<NeedKind, number> = {
  doubt: 3_000,
  discrepancy: 3_000,
  journal: 3_000,
  bridge: 3_000,
  listener: 3_000,
  terminal: 30_000,
  lost: 30_000,
  money: 3_000,
};
const isQuiet: Record<NeedKind, boolean> = {
  doubt: false,
  discrepancy: false,
  journal: false,
  bridge: true,
  listener: true,
  terminal: true,
  lost: true,
  money: true,
};
const openItems = '#/till?open=items';
const help = '#/help';
const placeOf: Record<NeedKind, string> = {
  doubt: openItems,
  discrepancy: openItems,
  journal: help,
  bridge: help,
  listener: help,
  terminal: help,
  lost: help,
  money: '#/money?only=needs_person',
};
/** Gone for so long, it is settled; what comes back sooner is the same. */
const settledMs = 3_000;

interface Group {
  kind: NeedKind;
  needs: Map<string, NotifiedNeed>;
  isTold: boolean;
  /** Of the timer that tells it, or forgets it. */
  cancel: (() => void) | null;
  takeBack: (() => void) | null;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { clock } = options;
  let { on } = options;
  const groups = new Set<Group>();
  let known: readonly string[] = options.told ?? [];

  function begin(kind: NeedKind, needs: NotifiedNeed[]): void {
    const isTold = needs.every(({ key }) => known.includes(key));
    const group: Group = {
      kind,
      needs: new Map(needs.map((need) => [need.key, need])),
      isTold,
      cancel: null,
      takeBack: null,
    };
    if (!isTold) group.cancel = clock.after(waitMs[kind], () => tell(group));
    groups.add(group);
  }

  function tell(group: Group): void {
    group.cancel = null;
    group.isTold = true;
    const { kind } = group;
    if (on && !options.isInFront()) {
      group.takeBack = options.show({
        needs: [...group.needs.values()],
        quiet: isQuiet[kind],
        place: placeFor(group),
      });
    }
    keep();
  }

  function forget(group: Group): void {
    group.cancel?.();
    group.takeBack?.();
    groups.delete(group);
    keep();
  }

  function keep(): void {
    options.onTold?.([...groups].filter(({ isTold }) => isTold).flatMap(({ needs }) => [...needs.keys()]));
  }

  function follow(group: Group, now: ReadonlyMap<string, NotifiedNeed>, state: ConsoleState): void {
    for (const key of group.needs.keys()) {
      const still = now.get(key);
      if (still !== undefined) group.needs.set(key, still);
      else if (!group.isTold && !isOpen(group.kind, key, state)) group.needs.delete(key);
    }
    const isLeft = [...group.needs.keys()].some((key) => now.has(key) || isOpen(group.kind, key, state));
    if (!group.isTold) {
      if (!isLeft) forget(group);
      return;
    }
    if (!isLeft) group.cancel ??= clock.after(settledMs, () => forget(group));
    else {
      group.cancel?.();
      group.cancel = null;
    }
  }

  function takeAllBack(): void {
    for (const group of groups) {
      group.takeBack?.();
      group.takeBack = null;
    }
  }

  return {
    look(state) {
      const now = new Map(notifiedNeeds(state).map((need) => [need.key, need]));
      for (const group of groups) follow(group, now, state);
      const fresh = [...now.values()].filter(({ key }) => ![...groups].some(({ needs }) => needs.has(key)));
      for (const [kind, needs] of Map.groupBy(fresh, ({ kind }) => kind)) begin(kind, needs);
      // What was told before the page was loaded again, and is over, would be told when it comes anew.
      if (state.bridge.kind === 'running') known = [];
    },
    seen: takeAllBack,
    turn(wanted) {
      on = wanted;
      if (!on) takeAllBack();
    },
  };
}

/** Help is about one terminal: of several that are in need the first. */
function placeFor({ kind, needs }: Group): string {
  const place = placeOf[kind];
  const name = onTerminals([...needs.values()])[0];
  return place === help && name !== undefined ? `${help}?terminal=${encodeURIComponent(name)}` : place;
}

/** The names of the terminals that they are about, each once; none where there is only one terminal. */
export function onTerminals(needs: readonly NotifiedNeed[]): string[] {
  const names = needs.flatMap((need) =>
    'onTerminal' in need && need.onTerminal !== undefined ? [need.onTerminal] : [],
  );
  return [...new Set(names)];
}

function notifiedNeeds(state: ConsoleState): NotifiedNeed[] {
  const lost = terminalsOf(state)
    .filter(({ terminal }) => terminal?.connection === 'lost')
    .map(({ name }) => ({ key: keyOf('lost', name), kind: 'lost' as const, ...named(state, name) }));
  const overdue = (state.overdueBatches ?? []).map((id) => ({ key: `money ${id}`, kind: 'money' as const }));
  return [...personNeeds(state), ...lost, ...overdue];
}

/** Whether something that is no need at the moment has not ended for all that: nobody knows, or it is being tried again. */
function isOpen(kind: NeedKind, key: string, state: ConsoleState): boolean {
  const { bridge, doubts, listener } = state;
  // Only a bridge that runs knows; while it starts again, nothing has been settled.
  if (kind === 'bridge') return bridge.kind === 'starting';
  if (bridge.kind !== 'running') return true;
  switch (kind) {
    case 'doubt':
      return doubts.some(({ operationId }) => key === `doubt ${operationId}`);
    case 'listener':
      return listener.kind === 'starting' || listener.kind === 'stopping';
    case 'lost':
    case 'terminal': {
      const connection = terminalsOf(state).find(({ name }) => key === keyOf(kind, name))?.terminal
        ?.connection;
      return connection === 'connecting' || connection === 'preparing';
    }
    case 'discrepancy':
    case 'journal':
    case 'money':
      return false;
  }
}
