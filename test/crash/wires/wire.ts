/** What the crash test has to understand of a protocol: when something that matters is said, and what moves money. */
import type { OperationKind } from '../../../src/contract/operation.ts';
import type { Transport } from '../../support/protocol-rows.ts';

/**
 * `taken`: the terminal confirms that it has the command; `acknowledgement`: the till's answer to the terminal's result;
 * `completion`: what the terminal says last.
 */
export type Said = 'command' | 'taken' | 'result' | 'acknowledgement' | 'completion';

export interface MoneyCommand {
  kind: OperationKind;
  /** "12.00"; null where the command carries none. */
  amount: string | null;
}

export interface Heard {
  /** For people: "040f", "ack", "query". */
  name: string;
  said?: Said;
  /** One copy of it. */
  command?: MoneyCommand;
  /** The terminal plainly refuses the command before it, which is the only ground on which another copy may follow. */
  refuses?: boolean;
}

export type Towards = 'terminal' | 'bridge';

interface Listener {
  /** Takes the bytes that pass, in any pieces; gives what they completed. */
  hear(towards: Towards, bytes: Uint8Array): Heard[];
  /** Half of what was on its way in this direction has no other half. */
  forget(towards: Towards): void;
}

/** Those that a protocol has. */
export type Moments = readonly [Said, ...Said[]];

export interface Wire {
  moments: Moments;
  listen(transport: Transport): Listener;
}
