/** A request that is refused: one of the catalogue's errors. */
import type { RemoteErrorCode } from '../catalogue/index.ts';

export interface Issue {
  /** Where, from the body's or the query's root: "transfers.0.clearing_account_id". */
  path: string;
  message: string;
}

export interface Refusal {
  code: RemoteErrorCode;
  message: string;
  issues?: Issue[];
}

/** Thrown inside a transaction, which it undoes; the engine turns it into its `Refusal`. Never leaves the engine. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(code: RemoteErrorCode, message: string, issues?: Issue[]) {
    super(message);
    this.refusal = issues === undefined ? { code, message } : { code, message, issues };
  }
}

export function wrongField(path: string, message: string): Refused {
  return new Refused('invalid_request', `${path}: ${message}.`, [{ path, message }]);
}

export function unusable(path: string, message: string): Refused {
  return new Refused('reference_not_usable', `${path}: ${message}.`, [{ path, message }]);
}
