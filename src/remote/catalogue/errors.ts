/**
 * The one table of errors. The document shows none ("error status codes, error bodies and error codes: not shown"), so all
 * of it is assumed: one form, a proper status.
 */
import { z } from 'zod';
import { assumed } from './marks.ts';

export const remoteErrorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  api_version_missing: 400,
  api_version_unknown: 400,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  scope_missing: 403,
  path_not_found: 404,
  record_not_found: 404,
  method_not_allowed: 405,
  state_conflict: 409,
  etag_mismatch: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  reference_not_usable: 422,
  if_match_missing: 428,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type RemoteErrorCode = keyof typeof remoteErrorStatus;
export const remoteErrorCodes = Object.keys(remoteErrorStatus) as [RemoteErrorCode, ...RemoteErrorCode[]];

/** When each code is answered. */
export const remoteErrorMeaning: Record<RemoteErrorCode, string> = {
  invalid_json: 'The body is not one JSON object in UTF-8.',
  invalid_request: 'A field or a query parameter is missing or has the wrong form; `issues` names each one.',
  api_version_missing: 'The header x-service-api-version is missing.',
  api_version_unknown: 'The header x-service-api-version names a version that there is not.',
  token_missing: 'The request carries no bearer token.',
  token_invalid: 'The token is not one that was issued here.',
  token_expired: 'The token has run out.',
  scope_missing: 'The token lacks the scope that the operation needs; the message names it.',
  path_not_found: 'There is no such path in this version.',
  record_not_found: 'There is no record with this id.',
  method_not_allowed: 'The path exists in this version, but not with this method.',
  state_conflict: 'The record is in a state in which this cannot be done.',
  etag_mismatch: 'If-Match does not name the record as it is now: it was changed since. Retrieve it again.',
  body_too_large: 'The body is larger than the service takes.',
  unsupported_media_type: 'The Content-Type is not application/json.',
  reference_not_usable: 'The body names a record that there is not, or that cannot be used for this.',
  if_match_missing: 'The operation needs the header If-Match.',
  too_many_requests: 'Too many requests; Retry-After tells when to come again.',
  internal_error: 'A fault in the service; its log has it under the request id.',
  unavailable: 'The service cannot answer now; Retry-After may tell when to come again.',
};

/** The body of every answer that is no success. The header x-request-id has the request id too. */
export const remoteErrorSchema = z.object({
  code: assumed(z.enum(remoteErrorCodes)),
  message: assumed(z.string()),
  issues: assumed(z.array(z.object({ path: assumed(z.string()), message: assumed(z.string()) })).optional()),
  request_id: assumed(z.string()),
});
export type RemoteErrorBody = z.infer<typeof remoteErrorSchema>;
