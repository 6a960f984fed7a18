/**
 * The OAuth 2.0 operation that issues access tokens. The document says that there is one; path, parameters and grant
 * type were assumed: client credentials as in RFC 6749, 4.4, with the client's id and secret in the body (2.3.1).
 */
import { z } from 'zod';
import { assumed, secret } from './marks.ts';

/** Under the base address; POST, application/x-www-form-urlencoded. Neither a version header nor a bearer token. */
export const tokenPath = '/oauth/token';

export const tokenRequestSchema = z.object({
  grant_type: assumed(z.literal('client_credentials')),
  client_id: assumed(z.string().min(1)),
  client_secret: assumed(secret(z.string().min(1))),
  /** Scopes with blanks between; without it, all that the client may have. */
  scope: assumed(z.string().optional()),
});

export const tokenResponseSchema = z.object({
  /** RFC 6750, 2.1: goes into a header. */
  access_token: assumed(secret(z.string().regex(/^[\x21-\x7e]+$/))),
  token_type: assumed(z.string().regex(/^bearer$/i, 'must be "Bearer"')),
  /** Seconds. */
  expires_in: assumed(z.number().positive().optional()),
  scope: assumed(z.string().optional()),
});

/** RFC 6749, 5.2. */
export const tokenErrorSchema = z.object({
  error: assumed(
    z.enum([
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
    ]),
  ),
  error_description: assumed(z.string().optional()),
});
