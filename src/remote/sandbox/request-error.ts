/** A request that is refused: one of the catalogue's errors. */
import type { RemoteErrorCode } from '../catalogue/index.ts';

export interface Issue {
  /** Where, from the body's or the query's root: "transfers.0.clearing_account_id". */
  path: string;
  message: string;
}

export interface RequestFailure {
  code: RemoteErrorCode;
  message: string;
  issues?: Issue[];
}

/** Thrown inside a transaction, which it undoes; the executor turns it into its `RequestFailure`. Never leaves the executor. */
export class RequestError extends Error {
  readonly refusal: RequestFailure;
  constructor(code: RemoteErrorCode, message: string, issues?: Issue[]) {
    super(message);
    this.refusal = issues === undefined ? { code, message } : { code, message, issues };
  }
}

export function wrongField(path: string, message: string): RequestError {
  return new RequestError('invalid_request', `${path}: ${message}.`, [{ path, message }]);
}

export function unusable(path: string, message: string): RequestError {
  return new RequestError('reference_not_usable', `${path}: ${message}.`, [{ path, message }]);
}
