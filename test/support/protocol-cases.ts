/**
 * The protocols that a test runs over, one after the other: what is different about each is data here, so that the tests
 * themselves know none of them. A new protocol is a row.
 */
import type { Currency } from '../../src/contract/money.ts';
import type { OperationKind } from '../../src/contract/operation.ts';
import type { TerminalParts } from './core-rig.ts';
import { kpayTerminal } from './kpay-terminal.ts';
import type { TerminalOnCable } from './terminal-rig.ts';
import { ecr17Terminal, ecrEdcTerminal, transbankTerminal, zvtTerminal } from './terminals-on-cable.ts';

export interface ProtocolCase {
  /** With its profile, where it has some. */
  name: string;
  currency: Currency;
  plugIn(parts: TerminalParts): TerminalOnCable;
  /** A sale can be stopped from here. */
  cancels: boolean;
  /** It takes an approved payment back by itself when its answer does not arrive. */
  reversesByItself: boolean;
  /** It is asked for the result while a sale runs: silence for a while is no doubt, and what it refused is declined. */
  isAskedForResults?: true;
  /** A close tells no totals that could be compared. */
  tellsNoTotals?: true;
  /** What it may leave to a person when an answer was lost, and the words in which it does. */
  leavesToPerson: Partial<Record<OperationKind, RegExp>>;
  /** The same on a terminal that holds nothing of ours: what it does not hold proves nothing then. */
  leavesToPersonWhenEmpty?: Partial<Record<OperationKind, RegExp>>;
  /** The same after a crash: what could only be shown on the connection on which the operation was begun. */
  leavesToPersonAfterCrash?: Partial<Record<OperationKind, RegExp>>;
}

const lostOnEcrEdc = {
  void: /does not tell whether a payment was voided/,
  batch_close: /does not tell whether its batch was closed/,
};

export const protocolCases: readonly ProtocolCase[] = [
  {
    name: 'zvt',
    currency: 'EUR',
    plugIn: zvtTerminal(),
    cancels: true,
    reversesByItself: true,
    leavesToPerson: { void: /reported success, but still shows the record from before/ },
  },
  {
    name: 'transbank',
    currency: 'CLP',
    plugIn: transbankTerminal(),
    cancels: false,
    reversesByItself: false,
    leavesToPerson: { void: /does not tell whether a sale was voided/ },
    leavesToPersonWhenEmpty: {
      sale: /holds no sales, and nobody can tell whether its batch was closed/,
      batch_close: /holds no sales, as before/,
    },
    leavesToPersonAfterCrash: { sale: /nothing shows that it is still the same terminal/ },
  },
  {
    name: 'ecr17',
    currency: 'EUR',
    plugIn: ecr17Terminal(),
    cancels: false,
    reversesByItself: false,
    leavesToPerson: {
      batch_close: /is not above zero, as before, so it does not show whether the batch was closed/,
    },
  },
  {
    name: 'ecr-edc generic',
    currency: 'THB',
    plugIn: ecrEdcTerminal('generic'),
    cancels: false,
    reversesByItself: false,
    leavesToPerson: { ...lostOnEcrEdc, sale: /cannot be asked what became of a payment/ },
  },
  {
    name: 'ecr-edc kbtg',
    currency: 'THB',
    plugIn: ecrEdcTerminal('kbtg'),
    cancels: true,
    reversesByItself: false,
    leavesToPerson: lostOnEcrEdc,
    leavesToPersonAfterCrash: { sale: /nothing shows that it is still the same terminal/ },
  },
  {
    name: 'kpay',
    currency: 'HKD',
    plugIn: kpayTerminal(),
    cancels: true,
    reversesByItself: false,
    isAskedForResults: true,
    tellsNoTotals: true,
    leavesToPerson: { batch_close: /does not show whether it was settled in between/ },
    leavesToPersonWhenEmpty: { batch_close: /batch is empty, as it was expected to be/ },
    leavesToPersonAfterCrash: {
      sale: /nothing shows that it is still the same terminal/,
      void: /nothing shows that it is still the same terminal/,
    },
  },
];
