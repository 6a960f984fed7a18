/** A small OpenID provider on loopback that does what a real one does, and what a broken or hostile one might. */
import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OpenIdProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What it says of the person who signs in. */
  person: Record<string, unknown>;
  /** What it does wrongly. */
  fault: 'none' | 'other nonce' | 'other issuer' | 'other key' | 'expired' | 'denied';
  close(): Promise<void>;
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function openIdProvider(): Promise<OpenIdProvider> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  /** What the browser came with, by the code that it went away with. */
  const codes = new Map<string, URLSearchParams>();
  const [clientId, clientSecret] = ['office', 'the-secret-of-the-office'];

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/authorize`,
          token_endpoint: `${provider.issuer}/token`,
          userinfo_endpoint: `${provider.issuer}/person`,
          jwks_uri: `${provider.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/keys':
        return json({
          keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
        });
      case '/authorize': {
        const code = `code-${codes.size + 1}`;
        codes.set(code, url.searchParams);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        if (provider.fault === 'denied') back.searchParams.set('error', 'access_denied');
        else back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href });
        return response.end();
      }
      case '/token':
        return void bodyOf(request).then((body) => {
          const began = codes.get(body.get('code') ?? '');
          codes.delete(body.get('code') ?? '');
          const challenge = createHash('sha256')
            .update(body.get('code_verifier') ?? '')
            .digest('base64url');
          const fits =
            basicOf(request) === `${clientId}:${clientSecret}` &&
            began?.get('code_challenge') === challenge &&
            began.get('redirect_uri') === body.get('redirect_uri');
          if (!fits || began === undefined) return json({ error: 'invalid_grant' }, 400);
          json({
            access_token: 'access',
            token_type: 'Bearer',
            expires_in: 300,
            id_token: idToken(began.get('nonce') ?? ''),
          });
        });
      case '/person':
        return json({ sub: 'person-1', groups: { office: ['chain-support'] } });
      default:
        return json({}, 404);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
    person: { name: 'Ada Meyer', roles: ['chain-support'] },
    fault: 'none',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;

  function idToken(nonce: string): string {
    const { fault, person, issuer } = provider;
    const now = Math.floor(Date.now() / 1_000) - (fault === 'expired' ? 3_600 : 0);
    const claims = {
      iss: fault === 'other issuer' ? 'https://elsewhere.example' : issuer,
      aud: clientId,
      sub: 'person-1',
      iat: now,
      exp: now + 300,
      nonce: fault === 'other nonce' ? 'another' : nonce,
      ...person,
    };
    const signed = `${base64({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${base64(claims)}`;
    const key = fault === 'other key' ? foreign.privateKey : keys.privateKey;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key).toString('base64url')}`;
  }
}

/** Both parts are encoded as in a form (RFC 6749 section 2.3.1). */
function basicOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return decodeURIComponent(Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString());
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return new URLSearchParams(Buffer.concat(pieces).toString());
}
