/**
 * Response codes of Transbank POS Integrado as sentences for people (Transbank developer documentation). Only 00 is
 * approved; everything else, known or not, is not.
 */
export const approvedCode = '00';
/** What the driver acts on. */
export const alreadyVoidedCode = '04';
export const cancelledCode = '07';
export const noSaleStoredCode = '11';
export const loadKeysCode = '26';

const texts: Readonly<Record<string, string>> = {
  '00': 'Approved',
  '01': 'Rejected',
  '02': 'The bank does not answer',
  '03': 'The connection to the bank failed',
  '04': 'Already voided',
  '05': 'There is nothing to void',
  '06': 'Card not supported',
  '07': 'Cancelled at the terminal',
  '08': 'A debit payment cannot be voided',
  '09': 'The card could not be read',
  '10': 'The amount is below the minimum',
  '11': 'The terminal has stored no sale',
  '12': 'Transaction not supported',
  '13': 'The batch has to be closed first',
  '14': 'The terminal has no dial tone',
  '15': 'The terminal lacks its configuration file',
  '16': 'The answer of the bank is malformed',
  '17': 'The last four digits of the card do not agree',
  '18': 'Invalid choice in the menu of the terminal',
  '19': 'Another card than before was used',
  '20': 'Invalid card',
  '21': 'Voiding is not permitted',
  '22': 'Nobody answered at the terminal in time',
  '24': 'The printer of the terminal is out of paper',
  '25': 'The date is invalid',
  '26': 'The terminal has to load its keys',
  '27': 'The terminal has to be updated',
  '54': 'Rejected',
  '60': 'The number of instalments is wrong',
  '61': 'The terminal could not build its request',
  '62': 'Error of the PIN pad',
  '65': 'The answer of the bank was not processed',
  '67': 'The limit of sales is reached; the batch has to be closed first',
  '68': 'Error while the amount was entered',
  '70': 'The ticket number is wrong',
  '71': 'A field to print is too long',
  '72': 'The amount must be more than 0',
  '73': 'The terminal has no terminal id',
  '74': 'The batch has to be closed first',
  '75': 'The terminal has no cards configured',
  '76': 'The limit of sales is reached; the batch has to be closed first',
  '77': 'The batch has to be closed first',
  '90': 'Initialised',
  '91': 'Initialisation failed',
  '92': 'The card reader is not connected',
  '93': 'Declined',
  '94': 'The answer was not processed',
  '95': 'Error while the rate was printed',
};

/** What a response code says: a short sentence for cashier and support. */
export function resultText(code: string): string {
  return Object.hasOwn(texts, code) ? (texts[code] ?? '') : `Unknown result code ${code}`;
}

/** All codes that have a sentence. */
export const knownCodes: readonly string[] = Object.keys(texts);

/** "Not approved, as far as the terminal knows": the host may have decided otherwise, so the last sale is asked for. */
const uncertainCodes: ReadonlySet<string> = new Set(['02', '03', '16', '22', '65', '94']);

export function isUncertain(code: string): boolean {
  return uncertainCodes.has(code);
}

const closeFirstCodes: ReadonlySet<string> = new Set(['13', '67', '74', '76', '77']);

/** The terminal takes nothing more before the batch is closed, which is the operator's to decide. */
export function needsClose(code: string): boolean {
  return closeFirstCodes.has(code);
}

const brands: Readonly<Record<string, string>> = {
  VI: 'Visa',
  MC: 'Mastercard',
  CA: 'Cabal',
  CR: 'Credencial',
  AX: 'American Express',
  CE: 'Tarjeta cerrada',
  DC: 'Diners',
  TP: 'Presto',
  MG: 'Magna',
  TM: 'Más',
  RP: 'Ripley',
  EX: 'Extra',
  TC: 'CMR',
  DB: 'Redcompra',
  P: 'Prepago',
};

/** The brand as it is printed, or null for one that is not known. */
export function brandName(code: string): string | null {
  return Object.hasOwn(brands, code) ? (brands[code] ?? null) : null;
}
