/** Checks `Authorization: Bearer` against the file of POS tokens, which may change while the listener runs. */
import type { Refusal } from '../../contract/errors.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { fileStamp } from '../../base/file-stamp.ts';
import type { Log } from '../../log/index.ts';
import type { RepeatedKind, RepeatedLines } from '../../http/index.ts';
import { readTokens } from './tokens.ts';

export interface TokenGuard {
  /** `open`: no tokens are in use. `damaged`: they may be, but the file cannot be used, so nobody gets in. */
  check(authorization: string | undefined): 'open' | 'valid' | 'refused' | 'damaged';
}

const bearerPattern = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

export interface TokenGuardOptions {
  /** Null: the bridge is set up without tokens. */
  file: string | null;
  /** The file is looked at again when the last look is older, in milliseconds. */
  maxAgeMs: number;
  clock: Clock;
  log: Log;
}

export function createTokenGuard({ file, maxAgeMs, clock, log }: TokenGuardOptions): TokenGuard {
  if (file === null) return { check: () => 'open' };
  let stamp: string | null = null;
  let lookedAtMs = -Infinity;
  let hashes: Buffer[] | 'damaged' = [];

  const refresh = () => {
    const nowMs = clock.elapsed();
    if (nowMs - lookedAtMs < maxAgeMs) return;
    lookedAtMs = nowMs;
    const found = fileStamp(file);
    if (found === stamp) return;
    const read = readTokens(file);
    if (read.ok) {
      hashes = read.tokens.map(({ sha256 }) => Buffer.from(sha256, 'hex'));
      if (hashes.length > 0) log.info('POS tokens are in use', { count: hashes.length });
      else if (stamp !== null)
        log.warn('there is no POS token any more: every program on this machine may send commands');
    } else {
      hashes = 'damaged';
      log.error(`the POS tokens in ${file} cannot be used, so every command is refused`, {
        reason: read.message,
      });
    }
    stamp = found;
  };

  return {
    check(authorization) {
      refresh();
      if (hashes === 'damaged') return 'damaged';
      if (hashes.length === 0) return 'open';
      const token = bearerPattern.exec(authorization ?? '')?.[1];
      if (token === undefined) return 'refused';
      const given = createHash('sha256').update(token).digest();
      let valid = false;
      // Every stored hash is looked at, so that the time tells nothing.
      for (const hash of hashes) valid = timingSafeEqual(hash, given) || valid;
      return valid ? 'valid' : 'refused';
    },
  };
}

/** Why the caller may not go on, or null. */
export function tokenRefusal(tokens: TokenGuard, authorization: string | undefined): Refusal | null {
  switch (tokens.check(authorization)) {
    case 'open':
    case 'valid':
      return null;
    case 'damaged':
      return {
        code: 'unauthorized',
        message: 'The POS tokens cannot be used, so every command is refused. The log says what to do.',
      };
    case 'refused':
      return {
        code: 'unauthorized',
        message:
          'A POS token is needed. Send it as "Authorization: Bearer" with the token that was made for this till.',
      };
  }
}

const noToken: RepeatedKind = {
  name: 'token',
  level: 'info',
  message: 'refused a request without a valid token',
  many: 'requests without a valid token were refused',
};

/** For the log, where a reading was refused. */
export function noteMissingToken(
  { repeatedLines }: { repeatedLines: RepeatedLines },
  request: IncomingMessage,
  { requestId, path }: { requestId: string; path: string },
): void {
  const { origin, 'user-agent': agent } = request.headers;
  repeatedLines.note(noToken, origin ?? agent, { request_id: requestId, path });
}
