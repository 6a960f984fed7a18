/** ECR-EDC: card terminals of acquirers in Thailand and around it; what differs between them is in a profile. */
import { currencyExponent, type Currency } from '../../../contract/money.ts';
import { sameNumber, type TerminalRecord } from '../../../contract/terminal.ts';
import type { CreateProtocol } from '../create-protocol.ts';
import type { LineProtocol } from '../terminal-driver.ts';
import { reconcileOwnRecord } from '../own-record.ts';
import { continuity } from './evidence.ts';
import { attachDriver, type DriverOptions } from './driver.ts';
import { referenceLength } from './reference.ts';
import { captureFormOf, edcProfile, edcProfileNames, type EdcProfile } from './wire/index.ts';

export interface EcrEdcOptions extends Omit<DriverOptions, 'profile'> {
  /** Name of a profile; the first of all of them when left out. */
  profile?: string;
}

export const createProtocol: CreateProtocol = ({ settings, clock, log }) =>
  createEcrEdcProtocol({ ...settings['ecr-edc'], currency: settings.currency, clock, log });

/** Throws when there is no such profile, or none by which a terminal can be driven: a mistake of the caller. */
export function createEcrEdcProtocol(options: EcrEdcOptions): LineProtocol {
  const name = options.profile ?? edcProfileNames[0] ?? '';
  const profile = edcProfile(name);
  if (profile === null) throw new Error(`there is no profile ${name}`);
  if (profile.commands.sale === undefined) throw new Error(`the profile ${name} is for reading only`);
  const { commands } = profile;
  return {
    name: 'ecr-edc',
    captureForm: captureFormOf(profile),
    ...(commands.inquiry === undefined ? {} : { terminalReferenceLength: referenceLength }),
    hasNoLastRecord: true,
    ...(commands.cancel === undefined
      ? { cannotCancel: 'this terminal cannot be stopped from here. Somebody has to press its cancel key.' }
      : {}),
    refuseSale: ({ currency }) => unfitCurrency(profile, currency),
    refuseVoid: ({ receiptNumber }, _lastRecord, later = []) => whyNotNamed(receiptNumber ?? '', later),
    attach: (connection, watch) => attachDriver(connection, watch, { ...options, profile }),
    continuity,
    reconcile: reconcileOwnRecord,
  };
}

/** A void names nothing but the invoice number, and the terminal reverses the newest payment that has it. */
function whyNotNamed(invoice: string, later: readonly TerminalRecord[]): string | null {
  const byHand = 'Reverse it at the terminal by hand, and note it.';
  if (!/^\d{1,6}$/.test(invoice)) return `the terminal gave it no invoice number. ${byHand}`;
  return later.some(({ receiptNumber }) => receiptNumber !== null && sameNumber(receiptNumber, invoice))
    ? `the terminal has given its invoice number to a later payment, and would reverse that one. ${byHand}`
    : null;
}

/** Amounts go out in hundredths, whatever the currency. */
function unfitCurrency({ currencies }: EdcProfile, currency: Currency): string | null {
  if (currencies !== undefined && !currencies.includes(currency))
    return `these terminals take ${currencies.join(', ')} only; set the currency of the bridge to it`;
  if (currencyExponent(currency) !== 2)
    return `an ECR-EDC terminal takes no ${currency}: its amounts have two decimals`;
  return null;
}
