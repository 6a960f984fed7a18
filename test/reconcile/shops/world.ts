/**
 * A shop of some years, as it was: its batches, what its acquirers really paid for which of them, and what the shop knows.
 * Nothing here is taken from the code that is tried: banking days, fees and whose money is whose are worked out anew.
 */
import type { AccountEntry, ClosedBatch, Decision } from '../../../src/reconcile/index.ts';
import { createRandom, type Random } from '../../support/random.ts';

/** Money that one acquirer owed for these batches together, and the entries by which it really moved. */
export interface Payout {
  acquirer: string;
  batchIds: string[];
  expectedMinor: number;
  entryIds: string[];
  mistake: Mistake;
  /** The last day on which it may come, for each of the batches: `YYYY-MM-DD`. */
  dueBy: string[];
}

export type Mistake =
  | 'none'
  | 'short'
  | 'over'
  | 'doubled'
  | 'late'
  | 'never'
  | 'reversed'
  | 'reversed by the bank'
  | 'told twice'
  | 'in two parts'
  | 'rest unnamed'
  | 'rest in two parts'
  | 'another batch’s number'
  | 'a number of nobody'
  | 'under another name'
  | 'another batch’s amount'
  | 'two batches in one, one named';

export interface Shop {
  seed: number;
  /** As the file holds it. */
  rules: Record<string, unknown>;
  batches: ClosedBatch[];
  entries: AccountEntry[];
  payouts: Payout[];
  /** What people have said of some payouts, rightly. */
  decisions: Decision[];
  /** Entries that a second source tells of again: the id of the first one, by theirs. */
  sameAs: ReadonlyMap<string, string>;
  firstDay: string;
  lastDay: string;
}

interface Scheme {
  name: string;
  millionths: number;
  fixedMinor: number;
  share: number;
}

interface Owed {
  batch: ClosedBatch;
  acquirer: string;
  expectedMinor: number;
  closeDay: number;
}

const dayMs = 86_400_000;
const firstYear = 2025;

/** Closing days of T2 as the ECB lists them, month and day, without those that never move. */
const easterDays: Record<number, string[]> = {
  2025: ['04-18', '04-21'],
  2026: ['04-03', '04-06'],
  2027: ['03-26', '03-29'],
  2028: ['04-14', '04-17'],
  2029: ['03-30', '04-02'],
  2030: ['04-19', '04-22'],
  2031: ['04-11', '04-14'],
  2032: ['03-26', '03-29'],
  2033: ['04-15', '04-18'],
  2034: ['04-07', '04-10'],
};

const places = [
  { currency: 'EUR', timeZone: 'Europe/Berlin', offset: '+01:00', calendar: 't2', digits: 2 },
  { currency: 'EUR', timeZone: 'Europe/Rome', offset: '+01:00', calendar: 't2', digits: 2 },
  { currency: 'HKD', timeZone: 'Asia/Hong_Kong', offset: '+08:00', calendar: 'none', digits: 2 },
  { currency: 'THB', timeZone: 'Asia/Bangkok', offset: '+07:00', calendar: 'none', digits: 2 },
  { currency: 'CLP', timeZone: 'America/Santiago', offset: '-04:00', calendar: 'none', digits: 0 },
] as const;

export function makeShop(seed: number, years = 1): Shop {
  const random = createRandom(seed);
  const place = random.pick<(typeof places)[number]>(places);
  const terminals = ['main', 'bar', 'hall'].slice(
    0,
    random.weighted([
      [5, 1],
      [3, 2],
      [2, 3],
    ]),
  );
  const firstDay = Date.UTC(firstYear, 0, 1) / dayMs;
  const lastDay = Date.UTC(firstYear + years, 0, 1) / dayMs - 1;
  const ownHolidays = Array.from({ length: 10 * years }, () => dateOf(random.integer(firstDay, lastDay)));
  const isBanking = bankingDays(place.calendar, new Set(ownHolidays));
  const percent = () => random.integer(10, 350) / 100;
  const payout = random.weighted([
    [7, 'net'],
    [3, 'gross'],
  ] as const);
  const fixedMinor = random.weighted([
    [6, 0],
    [4, 5],
  ]);
  const schemes: [Scheme, ...Scheme[]] = [
    { name: 'girocard', millionths: Math.round(percent() * 10_000), fixedMinor: 0, share: 0.4 },
    { name: 'visa', millionths: Math.round(percent() * 10_000), fixedMinor, share: 0.3 },
    { name: 'mastercard', millionths: Math.round(percent() * 10_000), fixedMinor, share: 0.25 },
  ];
  const hasAmex = random.chance(0.4);
  const amex: Scheme = { name: 'amex', millionths: 25_000, fixedMinor: 0, share: 0.1 };
  const all = hasAmex ? [...schemes, amex] : schemes;
  const tellsTotals = random.chance(0.9);
  const naming = random.weighted([
    [3, 'number'],
    [2, 'terminal'],
    [2, 'both'],
    [1, 'range'],
    [4, 'nothing'],
  ] as const);
  const nets = random.chance(0.5);
  const combines = random.weighted([
    [5, 'each'],
    [2, 'days'],
    [3, 'all'],
  ] as const);
  const wrap = random.weighted([
    [6, 999],
    [2, 99],
    [1, 45],
  ]);
  const unit = random.weighted([
    [8, 1],
    [1, 50],
    [1, 500],
  ]);
  const usual = random.integer(0, 2);
  const latest = usual + random.integer(0, 2);
  const mistakes = random.pick([0, 0.01, 0.03, 0.1] as const);
  const busy = random.integer(20, 300) * 1_000;

  const batches: ClosedBatch[] = [];
  const owed: Owed[] = [];
  for (const [at, terminal] of terminals.entries()) {
    let number = random.integer(1, wrap);
    for (let day = firstDay; day <= lastDay; day += 1) {
      if (random.chance(weekday(day) === 0 ? 0.6 : 0.03)) continue;
      for (let closes = random.chance(0.03) ? 2 : 1; closes > 0; closes -= 1) {
        number = (number % wrap) + 1;
        const totals = all.map(({ name, share }) => {
          const totalMinor = Math.round((busy * share * (0.3 + random.fraction())) / unit) * unit;
          return { scheme: name, count: Math.ceil(totalMinor / 3_000), totalMinor };
        });
        const same = random.chance(0.01) ? batches.at(-random.integer(1, 60)) : undefined;
        const kept = same === undefined ? totals : same.totals.map((total) => ({ ...total }));
        // A day on which more was given back than sold, or nothing sold.
        const [first] = kept;
        if (first !== undefined && random.chance(0.01)) first.totalMinor = -busy;
        if (random.chance(0.005)) for (const total of kept) Object.assign(total, { totalMinor: 0, count: 0 });
        const hour = closes === 2 ? random.integer(12, 13) : random.integer(16, 21);
        const batch: ClosedBatch = {
          id: `${terminal}-${dateOf(day)}-${closes}`,
          terminal,
          terminalId: `6400${at}`,
          merchantId: 'M77',
          number: String(number),
          closedAt: `${dateOf(day)}T${hour}:${String(random.integer(10, 59))}:00${place.offset}`,
          currency: place.currency,
          count: kept.reduce((sum, { count }) => sum + count, 0),
          totalMinor: kept.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
          totals: kept,
        };
        batches.push(tellsTotals && !random.chance(0.005) ? batch : { ...batch, totals: [] });
        for (const [acquirer, part] of [
          ['Acme', schemes],
          ['Amex', hasAmex ? [amex] : []],
        ] as const) {
          if (part.length === 0) continue;
          owed.push({
            batch,
            acquirer,
            closeDay: day,
            expectedMinor: owedFor(batch, part, acquirer === 'Amex' || payout === 'net'),
          });
        }
      }
    }
  }
  const decimal = (minor: number) => (minor / 10 ** place.digits).toFixed(place.digits);
  const rate = ({ millionths, fixedMinor: fixed }: Scheme) => ({
    percent: (millionths / 10_000).toFixed(4),
    fixed: decimal(fixed),
  });
  const common = { account: 'giro', currency: place.currency };
  const templates = {
    number: ['BATCH {batch}'],
    terminal: ['BATCH {batch} TID {terminal}'],
    both: ['BATCH {batch}', 'BATCH {batch} TID {terminal}'],
    range: ['BATCH {batch}'],
    nothing: [],
  };
  const rules = {
    timeZone: place.timeZone,
    holidays: { calendar: place.calendar, days: [...new Set(ownHolidays)] },
    acquirers: [
      {
        ...common,
        name: 'Acme',
        entries: { remark: ['ACME SETTLEMENT'] },
        names: templates[naming],
        delay: { usual, latest },
        payout,
        fee: {
          ...rate(schemes[1] ?? schemes[0]),
          schemes: Object.fromEntries(schemes.map((each) => [each.name, rate(each)])),
        },
        combines:
          combines === 'each' ? {} : { batches: combines === 'days' ? 8 : 24, terminals: combines === 'all' },
      },
      ...(hasAmex
        ? [
            {
              ...common,
              name: 'Amex',
              schemes: ['amex'],
              entries: { sender: ['AMERICAN EXPRESS'] },
              delay: { usual: 3, latest: 5 },
              payout: 'net',
              fee: { percent: '2.5' },
            },
          ]
        : []),
    ],
  };

  const bank = createBank(random, place.currency, isBanking);
  const groups = [
    ...payoutGroups(
      owed.filter(({ acquirer }) => acquirer === 'Acme'),
      combines,
      isBanking,
      nets,
    ),
    ...owed.filter(({ acquirer }) => acquirer === 'Amex').map((one) => [one]),
  ];
  const payouts = groups.flatMap((group) => {
    const isAmex = group[0]?.acquirer === 'Amex';
    const delay = isAmex ? random.integer(2, 5) : random.integer(usual, latest);
    return bank.pay(group, {
      naming: isAmex ? 'nothing' : naming,
      delay,
      latest: isAmex ? 5 : latest,
      mistake: random.chance(mistakes) ? null : 'none',
      others: owed,
    });
  });
  bank.noise(batches, firstDay, lastDay, payout === 'gross');
  return {
    seed,
    rules,
    batches,
    entries: bank.entries,
    payouts,
    decisions: decisionsOn(payouts, bank.entries, random),
    sameAs: bank.sameAs,
    firstDay: dateOf(firstDay),
    lastDay: dateOf(lastDay),
  };
}

/** All numbers are whole and far below 2^53. */
function owedFor(batch: ClosedBatch, schemes: readonly Scheme[], isNet: boolean): number {
  let [gross, fee, fixed] = [0, 0, 0];
  for (const { name, millionths, fixedMinor } of schemes) {
    for (const { scheme, totalMinor, count } of batch.totals) {
      if (scheme !== name) continue;
      gross += totalMinor;
      fee += totalMinor * millionths;
      fixed += count * fixedMinor;
    }
  }
  if (!isNet || gross === 0) return gross;
  return gross - fixed - Math.sign(fee) * Math.floor(Math.abs(fee) / 1_000_000 + 0.5);
}

/** What is paid in one: each by itself, a terminal's until the bank opens again, or those of all terminals. */
function payoutGroups(
  owed: readonly Owed[],
  combines: 'each' | 'days' | 'all',
  isBanking: (day: number) => boolean,
  nets: boolean,
): Owed[][] {
  if (combines === 'each') return nets ? netted(owed) : owed.map((one) => [one]);
  const paidFrom = (day: number): number => (isBanking(day) ? day : paidFrom(day + 1));
  const groups = Map.groupBy(
    owed.filter(({ expectedMinor }) => expectedMinor !== 0),
    ({ batch, closeDay }) => `${paidFrom(closeDay)} ${combines === 'all' ? '' : batch.terminal}`,
  );
  return [...owed.filter(({ expectedMinor }) => expectedMinor === 0).map((one) => [one]), ...groups.values()];
}

/** What is to be given back is kept from the terminal's next payout, where that is more. */
function netted(owed: readonly Owed[]): Owed[][] {
  const groups: Owed[][] = [];
  const kept = new Map<string, Owed>();
  for (const one of owed) {
    const { terminal } = one.batch;
    const before = kept.get(terminal);
    kept.delete(terminal);
    if (one.expectedMinor < 0 && before === undefined) kept.set(terminal, one);
    else if (before !== undefined && one.expectedMinor + before.expectedMinor > 0) groups.push([before, one]);
    else groups.push(...[before, one].flatMap((each) => (each === undefined ? [] : [[each]])));
  }
  return [...groups, ...[...kept.values()].map((one) => [one])];
}

/** People have looked at some of them, a week later. */
function decisionsOn(
  payouts: readonly Payout[],
  entries: readonly AccountEntry[],
  random: Random,
): Decision[] {
  const dateOfEntry = new Map(entries.map(({ id, date }) => [id, date]));
  return payouts.flatMap(({ acquirer, batchIds, entryIds, mistake }) => {
    if (entryIds.length === 0 || !random.chance(mistake === 'none' ? 0.01 : 0.2)) return [];
    const last = entryIds.map((id) => dateOfEntry.get(id) ?? '').toSorted();
    const at = new Date(Date.parse(last.at(-1) ?? '') + 7 * dayMs).toISOString();
    const rest = { kind: 'match', acquirer, entryIds, by: 'Ada', reason: 'so it is', at } as const;
    return batchIds.map((batchId) => ({ ...rest, batchId }));
  });
}

interface PayOptions {
  naming: 'number' | 'terminal' | 'both' | 'range' | 'nothing';
  delay: number;
  latest: number;
  /** Null: any. */
  mistake: 'none' | null;
  others: readonly Owed[];
}

function createBank(random: Random, currency: ClosedBatch['currency'], isBanking: (day: number) => boolean) {
  const entries: AccountEntry[] = [];
  const sameAs = new Map<string, string>();

  function post(day: number, amountMinor: number, remark: string, sender = 'ACME AG'): string {
    const id = `e${entries.length}`;
    entries.push({
      id,
      account: 'giro',
      date: dateOf(day),
      currency,
      amountMinor,
      remark,
      sender,
      code: 'NTRF',
    });
    return id;
  }

  function pay(group: readonly Owed[], { naming, delay, latest, mistake, others }: PayOptions): Payout[] {
    const [first] = group;
    if (first === undefined) return [];
    const { acquirer } = first;
    const expectedMinor = group.reduce((sum, one) => sum + one.expectedMinor, 0);
    const lastClose = Math.max(...group.map(({ closeDay }) => closeDay));
    const base = {
      acquirer,
      batchIds: group.map(({ batch }) => batch.id),
      expectedMinor,
      dueBy: group.map(({ closeDay }) => dateOf(later(closeDay, latest))),
    };
    if (expectedMinor === 0 && group.length === 1) return [{ ...base, entryIds: [], mistake: 'none' }];
    const sender = acquirer === 'Amex' ? 'American Express' : 'ACME AG';
    const day = later(lastClose, delay);
    const wild: Mistake[] = [
      'short',
      'over',
      'doubled',
      'late',
      'never',
      'reversed',
      'reversed by the bank',
      'told twice',
      'in two parts',
      'rest unnamed',
      'rest in two parts',
      'another batch’s number',
      'a number of nobody',
      'under another name',
      'another batch’s amount',
      'two batches in one, one named',
    ];
    // Without a name, exactly what another batch is owed cannot be told from the other's money by anybody.
    const drawn = mistake ?? random.pick(wild as [Mistake, ...Mistake[]]);
    const made = naming === 'nothing' && drawn === 'another batch’s amount' ? 'short' : drawn;
    const text = (batches: readonly ClosedBatch[]) => remarkOf(acquirer, naming, batches);
    const own = group.map(({ batch }) => batch);
    const remark = text(own);
    const nameless = text([]);
    const most = Math.max(1, Math.abs(expectedMinor) - 1);
    const some = Math.min(most, Math.max(1, Math.round(most * random.fraction())));
    const near = () => {
      const neighbours = others.filter(
        (one) =>
          one.acquirer === acquirer && !own.includes(one.batch) && Math.abs(one.closeDay - lastClose) < 6,
      );
      return neighbours[random.integer(0, neighbours.length - 1)];
    };
    const paid = (): string[] => {
      switch (made) {
        case 'none':
          return [post(day, expectedMinor, remark, sender)];
        case 'short':
          return [post(day, expectedMinor - some, remark, sender)];
        case 'over':
          return [post(day, expectedMinor + some, remark, sender)];
        case 'doubled':
          return [0, random.integer(0, 3)].map((more) =>
            post(later(day, more), expectedMinor, remark, sender),
          );
        case 'late':
          return [post(later(lastClose, latest + random.integer(1, 15)), expectedMinor, remark, sender)];
        case 'never':
          return [];
        case 'reversed':
          return [
            post(day, expectedMinor, remark, sender),
            post(
              later(day, random.integer(0, 8)),
              -expectedMinor,
              random.chance(0.5) ? remark : nameless,
              sender,
            ),
          ];
        case 'reversed by the bank':
          return [
            post(day, expectedMinor, remark, sender),
            post(later(day, random.integer(0, 8)), -expectedMinor, 'STORNO GUTSCHRIFT', 'BANK'),
          ];
        case 'told twice': {
          const id = post(day, expectedMinor, remark, sender);
          const again = day + random.integer(0, 1);
          sameAs.set(post(again, expectedMinor, random.chance(0.5) ? remark : nameless, sender), id);
          return [id];
        }
        case 'rest in two parts': {
          const third = Math.floor(some / 3);
          return [
            post(day, expectedMinor - some, remark, sender),
            ...[third, some - third]
              .filter((part) => part !== 0)
              .map((part) => post(later(day, random.integer(1, 5)), part, nameless, sender)),
          ];
        }
        case 'in two parts':
          return [
            post(day, expectedMinor - some, remark, sender),
            post(later(day, random.integer(0, 5)), some, remark, sender),
          ];
        case 'rest unnamed':
          return [
            post(day, expectedMinor - some, remark, sender),
            post(later(day, random.integer(1, 5)), some, nameless, sender),
          ];
        case 'another batch’s number': {
          const other = near();
          return [post(day, expectedMinor, other === undefined ? remark : text([other.batch]), sender)];
        }
        case 'a number of nobody':
          return [post(day, expectedMinor, text([{ ...first.batch, number: '4711' }]), sender)];
        case 'under another name':
          return [post(day, expectedMinor, 'NEWPAY LTD PAYMENT', 'NEWPAY LTD')];
        case 'another batch’s amount':
          return [post(day, near()?.expectedMinor || expectedMinor, remark, sender)];
        case 'two batches in one, one named':
          return [post(day, expectedMinor, text(own.slice(0, 1)), sender)];
      }
    };
    return [{ ...base, entryIds: paid(), mistake: made }];
  }

  /** What else happens on an account. */
  function noise(
    batches: readonly ClosedBatch[],
    firstDay: number,
    lastDay: number,
    billsFees: boolean,
  ): void {
    for (let day = firstDay; day <= lastDay; day += 1) {
      if (random.chance(0.3)) post(day, random.integer(-200_000, 200_000), 'INVOICE 17', 'SOMEBODY');
      if (random.chance(0.01)) post(day, random.integer(1, 5_000), 'ACME SETTLEMENT BONUS');
      if (random.chance(0.02)) post(day, -random.integer(500, 9_000), 'ACME SETTLEMENT CHARGEBACK');
      if (billsFees && dateOf(day).endsWith('-01'))
        post(day, -random.integer(5_000, 50_000), 'ACME SETTLEMENT FEES');
      if (random.chance(0.01))
        post(day, batches[random.integer(0, batches.length - 1)]?.totalMinor ?? 1, 'RENT');
    }
  }

  function later(day: number, count: number): number {
    let at = day;
    for (let left = count; left > 0 || !isBanking(at);) {
      at += 1;
      if (isBanking(at)) left -= 1;
      if (left <= 0 && isBanking(at)) break;
    }
    return at;
  }

  return { entries, sameAs, pay, noise };
}

function remarkOf(acquirer: string, naming: PayOptions['naming'], batches: readonly ClosedBatch[]): string {
  if (acquirer === 'Amex') return 'PAYMENT';
  const [first] = batches;
  if (first === undefined || naming === 'nothing') return 'ACME SETTLEMENT';
  const last = batches.at(-1);
  const isRow = batches.every(({ number }, at) => Number(number) === Number(first.number) + at);
  if (naming === 'range' && isRow && last !== first)
    return `ACME SETTLEMENT BATCH ${first.number}-${last?.number}`;
  if (naming === 'number' || naming === 'range')
    return `ACME SETTLEMENT BATCH ${batches.map(({ number }) => number).join(', ')}`;
  return `ACME SETTLEMENT ${batches.map(({ number, terminalId }) => `BATCH ${number} TID ${terminalId}`).join(' ')}`;
}

function bankingDays(calendar: 't2' | 'none', own: ReadonlySet<string>): (day: number) => boolean {
  return (day) => {
    const date = dateOf(day);
    if ([0, 6].includes(weekday(day)) || own.has(date)) return false;
    if (calendar === 'none') return true;
    const easter = easterDays[Number(date.slice(0, 4))] ?? [];
    return ![...easter, '01-01', '05-01', '12-25', '12-26'].includes(date.slice(5));
  };
}

function weekday(day: number): number {
  return new Date(day * dayMs).getUTCDay();
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
