/** Reads what the till wants from a command (ZVT PA00P015, chapter 2); what cannot be served is refused at once. */
import { currencyNumeric } from '../contract/money.ts';
import { hex, bitmap, type ZvtMessage } from '../bridge/terminals/zvt/wire/index.ts';
import type { Terminal } from './simulated-terminal.ts';

export interface Order {
  amountMinor: number;
  /** BMP 02. */
  maxNotYet: number | null;
  /** BMP 01. */
  answerTimeoutMs: number | null;
}

/** `answer` is the control field of the refusal (`846f`). */
export type Read<T> = ({ ok: true } & T) | { ok: false; answer: string };

const notPossible = '8483';
const wrongPassword = '8437';
const wrongCurrency = '846f';
/** ZVT protocol error. */
const protocolError = '849a';
const amountTooSmall = '84c8';

/** The parts of 06 01. Without BMP 49 the amount is in EUR (ZVT PA00P015, BMP 49). */
export function readOrder(terminal: Terminal, command: ZvtMessage): Read<Order> {
  const currency = checkCurrency(terminal, command);
  if (currency !== null) return { ok: false, answer: currency };
  const amountMinor = readAmount(command);
  // Nobody can type an amount into this terminal.
  if (amountMinor === null) return { ok: false, answer: notPossible };
  if (amountMinor === 0) return { ok: false, answer: amountTooSmall };
  const [timeoutS] = bitmap(command, '01') ?? [];
  const [maxNotYet] = bitmap(command, '02') ?? [];
  return {
    ok: true,
    amountMinor,
    maxNotYet: maxNotYet ?? null,
    answerTimeoutMs: timeoutS === undefined ? null : timeoutS * 1_000,
  };
}

/** BMP 04 in minor units; null when it is missing or is no number. */
export function readAmount(command: ZvtMessage): number | null {
  const amount = bitmap(command, '04');
  if (amount === null || !/^\d{12}$/.test(hex(amount))) return null;
  return Number(hex(amount));
}

/** Null when the currency is the terminal's; else how to refuse. */
export function checkCurrency(terminal: Terminal, command: ZvtMessage): string | null {
  const named = bitmap(command, '49');
  if (named !== null && terminal.dialect.refusesCurrency) return protocolError;
  // One that takes no currency has but its own.
  if (named === null && terminal.dialect.refusesCurrency) return null;
  const numeric = named === null ? currencyNumeric('EUR') : hex(named).slice(1);
  return numeric === currencyNumeric(terminal.currency) ? null : wrongCurrency;
}

/** Null when the password is right; else how to refuse. A command that may come without one may leave it out. */
export function checkPassword(
  terminal: Terminal,
  command: ZvtMessage,
  need: 'required' | 'optional',
): string | null {
  const password = command.positional['password'];
  if (password === undefined && need === 'optional') return null;
  if (password === undefined) return notPossible;
  return password === terminal.password ? null : wrongPassword;
}
