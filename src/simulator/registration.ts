/** What the till registered for with 06 00 (sheet section 9.1). */

export interface Registration {
  /** Bits: 02 ECR prints payments, 04 ECR prints administration, 08 ECR wants 04 FF, 80 receipts come as 06 D1/06 D3. */
  configurationByte: number;
  /** The till has sent a BMP 06, so the terminal may. Valid until log-off. */
  tlvAllowed: boolean;
  /** Commands of the terminal that tag 26 permits; null when it was not sent. */
  permittedCommands: readonly string[] | null;
  /** The till has named the currency, so the terminal names it too. */
  currencyNamed: boolean;
}

/** After power-up and after log-off (sheet section 9.1: the configuration byte goes back to 86). */
export const unregistered: Registration = {
  configurationByte: 0x86,
  tlvAllowed: false,
  permittedCommands: null,
  currencyNamed: false,
};

export function wantsProgress(registration: Registration): boolean {
  return (registration.configurationByte & 0x08) !== 0;
}

/** Receipts of payments, reversals and repeats go to the till as print data. */
export function sendsPaymentReceipts(registration: Registration): boolean {
  return (registration.configurationByte & 0x82) === 0x82;
}

/** Receipts of end of day and the like go to the till as print data. */
export function sendsAdministrationReceipts(registration: Registration): boolean {
  return (registration.configurationByte & 0x84) === 0x84;
}

/** 06 D3 must be listed in tag 26, else the terminal prints line by line with 06 D1 (sheet section 7, tag 26). */
export function printsBlocks(registration: Registration): boolean {
  return registration.permittedCommands?.includes('06d3') ?? false;
}
