/**
 * Each command over each protocol, with an accident at each piece of bytes in turn: it is lost or arrives, and then the cable
 * is pulled, the bridge dies or the terminal loses power. What the bridge believes afterwards is held against the terminal's
 * ledger; what it leaves to a person it has to explain.
 */
import { describe, expect, it } from 'vitest';
import { formatAmount } from '../../src/contract/money.ts';
import type { OperationKind, Resolution, TransactionStatus } from '../../src/contract/operation.ts';
import { compareSale } from '../crash/books.ts';
import { countsOf } from '../support/ledger.ts';
import { protocolCases, type ProtocolCase } from '../support/protocol-cases.ts';
import { createTerminalRig, type TerminalRig } from '../support/terminal-rig.ts';

const losesPower = 'the terminal loses power for three seconds';
const accidents = {
  'the cable is pulled, and put back after two seconds': (rig: TerminalRig) => {
    rig.cable.pull();
    rig.clock.after(2_000, rig.cable.put);
  },
  [losesPower]: (rig: TerminalRig) => rig.simulator.losePower(3_000),
  'the bridge dies': 'kill',
  'nothing else happens': () => {},
} as const;
type Accident = keyof typeof accidents;

/** What arrives before the bridge dies, or while nothing happens, is what is lost at the piece behind it, or nothing at all. */
const fatesAt = (accident: Accident) =>
  accident === 'the bridge dies' || accident === 'nothing else happens'
    ? (['lose'] as const)
    : (['lose', 'pass'] as const);

/** By then the cable is back, and so is the power; in milliseconds. */
const accidentOverMs = 5_000;
/** More pieces than any command has. */
const manyPieces = 100;

interface Command {
  kind: OperationKind;
  /** What has happened before the pieces are counted. */
  before?(rig: TerminalRig): Promise<unknown>;
  carryOut(rig: TerminalRig): Promise<unknown>;
  /** Status of the payment where no accident happens. */
  usualEnd: TransactionStatus;
}

const own = { reference: 'A', amountMinor: 1_100 };
const sell = (rig: TerminalRig) => rig.sell(own.amountMinor, own.reference);
const sellBefore = (rig: TerminalRig) => sell(rig).then(() => rig.ready());

const commands: Readonly<Record<'sale' | 'cancel' | 'void' | 'batch', Command>> = {
  sale: { kind: 'sale', carryOut: sell, usualEnd: 'approved' },
  cancel: {
    kind: 'sale',
    async before(rig) {
      await rig.begin(own.amountMinor, own.reference);
      await rig.until(() => rig.simulator.state().busy, 'the sale at the terminal');
    },
    async carryOut(rig) {
      await rig.payments.cancelPayment(own.reference);
      await rig.until(() => rig.status(own.reference) !== 'in_progress', 'the end of the sale');
    },
    usualEnd: 'cancelled',
  },
  void: {
    kind: 'void',
    before: sellBefore,
    carryOut: (rig) => rig.payments.voidPayment(own.reference, 300_000),
    usualEnd: 'voided',
  },
  batch: {
    kind: 'batch_close',
    before: sellBefore,
    carryOut: (rig) => rig.payments.submitBatch(300_000),
    usualEnd: 'settled',
  },
};
const namesOf = ({ cancels }: ProtocolCase) =>
  (['sale', 'cancel', 'void', 'batch'] as const).filter((name) => cancels || name !== 'cancel');

describe.each(protocolCases)('on $name', (protocol) => {
  describe.each(namesOf(protocol))('in a %s', (name) => {
    it.each(Object.keys(accidents) as Accident[])('%s, at each piece of bytes', async (accident) => {
      const wrong: string[] = [];
      let met = 0;
      for (const fate of fatesAt(accident)) {
        for (let nth = 1; nth < manyPieces; nth += 1) {
          const result = await meet({ protocol, command: commands[name], accident, nth, fate });
          wrong.push(...result.wrong.map((words) => `piece ${nth}, ${fate}: ${words}`));
          if (!result.happened) break;
          met += 1;
        }
      }
      expect(wrong).toEqual([]);
      // At least a request and its answer.
      expect(met).toBeGreaterThanOrEqual(2);
    });
  });
});

interface Meeting {
  protocol: ProtocolCase;
  command: Command;
  accident: Accident;
  /** The piece of the command, from 1, at which it happens. */
  nth: number;
  fate: 'lose' | 'pass';
}

/** `happened` false: the command has fewer pieces. */
async function meet({ protocol, command, accident, nth, fate }: Meeting) {
  const rig = createTerminalRig(protocol.plugIn);
  try {
    await rig.ready();
    await rig.sell(1_000, 'BEFORE');
    await rig.ready();
    await command.before?.(rig);
    const happened = await strike(rig, command, { accident, nth, fate });
    await rig.ready();
    if (!happened) expect(rig.status(own.reference)).toBe(command.usualEnd);
    const wrong = await findings(rig, protocol, command.kind, accident);
    return { happened, wrong };
  } finally {
    await rig.close();
  }
}

/** Carries the command out, and has the accident happen on the way. False: there was no such piece. */
async function strike(
  rig: TerminalRig,
  { carryOut }: Command,
  { accident, nth, fate }: Pick<Meeting, 'accident' | 'nth' | 'fate'>,
): Promise<boolean> {
  const happens = accidents[accident];
  let pieces = 0;
  let struck = false;
  let ended = false;
  rig.cable.onPiece = () => {
    // Nothing of a dead bridge goes out, and it hears nothing.
    if (struck) return happens === 'kill' ? 'lose' : 'pass';
    pieces += 1;
    if (pieces !== nth) return 'pass';
    struck = true;
    queueMicrotask(() => (happens === 'kill' ? rig.clock.recheck() : happens(rig)));
    return fate;
  };
  const carriedOut = carryOut(rig).finally(() => (ended = true));
  await rig.until(() => struck || ended, 'the accident, or the end');
  const happened = struck;
  if (happened && happens === 'kill') {
    // Whoever waits for a dead bridge waits in vain.
    carriedOut.catch(() => {});
    await rig.crash();
    rig.restart();
  } else {
    await carriedOut;
    if (happened) await rig.clock.advance(accidentOverMs);
  }
  rig.cable.onPiece = () => 'pass';
  return happened;
}

/** All that is wrong once everything is decided that can be decided; then a person decides, and the next sale comes. */
async function findings(
  rig: TerminalRig,
  protocol: ProtocolCase,
  kind: OperationKind,
  accident: Accident,
): Promise<string[]> {
  const wrong: string[] = [];
  const amounts: Record<string, number> = { BEFORE: 1_000, [own.reference]: own.amountMinor };
  const compare = (when: string) => {
    const ledger = rig.ledger();
    for (const [reference, amountMinor] of Object.entries(amounts)) {
      const answer = rig.payments.queryPayment(reference);
      const status = answer.ok ? answer.value.status : null;
      const sale = { reference, amount: formatAmount(amountMinor, protocol.currency), status };
      wrong.push(...compareSale(sale, ledger).map((words) => `${when}: ${words}`));
    }
  };

  const doubts = rig.payments.operationsInDoubt();
  // Until that is decided, nobody can tell whether they are settled.
  if (!doubts.some((doubt) => doubt.kind === 'batch_close')) compare('at first');
  const sent = rig.sent(kind) - (kind === 'sale' ? 1 : 0);
  if (sent > 1) wrong.push(`the command was sent ${sent} times`);
  const asked = rig.asked();
  if (asked.length < doubts.length) wrong.push('a person is asked, and not told why');
  const expected = [protocol.leavesToPerson[kind]];
  // A terminal that has forgotten everything but its payments may be another one.
  if (accident === losesPower) expected.push(protocol.leavesToPersonAfterCrash?.[kind]);
  wrong.push(
    ...asked
      .filter((words) => !expected.some((reason) => reason?.test(words)))
      .map((words) => `left to a person: ${words}`),
  );
  for (const { operationId, kind: ofKind } of doubts) {
    const resolution = truth(rig, protocol, ofKind);
    const answer = rig.payments.resolve({ operationId, resolution, by: 'Kim', reason: 'the ledger says so' });
    if (!answer.ok) wrong.push(`a person cannot decide: ${answer.refusal.message}`);
  }
  await rig.ready();
  if (doubts.length > 0) compare('after the decision');
  amounts['NEXT'] = 1_200;
  const next = await rig.sell(amounts['NEXT'], 'NEXT');
  if (next !== 'approved') wrong.push(`the next sale is ${next}`);
  compare('in the end');
  const discrepancies = rig.payments.discrepancies().map((found) => found.kind);
  if (discrepancies.length > 0) wrong.push(`discrepancies: ${discrepancies.join(', ')}`);
  return wrong;
}

/** What the person finds who looks at the terminal. */
function truth(rig: TerminalRig, { currency }: ProtocolCase, kind: OperationKind): Resolution {
  const ledger = rig.ledger();
  const { charged, autoReversed, reversed } = countsOf(ledger, formatAmount(own.amountMinor, currency));
  switch (kind) {
    case 'sale':
      return charged > autoReversed ? 'charged' : 'not-charged';
    case 'void':
      return reversed > 0 ? 'voided' : 'not-voided';
    case 'batch_close':
      return ledger.some(({ event }) => event === 'settled') ? 'closed' : 'not-closed';
  }
}
