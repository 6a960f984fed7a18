/** Who may ask the simulated terminal anything, and how often: sign-in, life of the keys, signatures, pace. */
import type { Clock } from '../../base/clock.ts';
import {
  answerCode,
  canonicalText,
  isSignatureOf,
  pathOf,
  type KpayCommand,
} from '../../bridge/terminals/kpay/wire/index.ts';
import { refusal, type Answer } from './answers.ts';
import { writtenKey, type KpayDialect } from './dialects.ts';
import type { TerminalKeys } from './terminal-keys.ts';

export interface KpayRequestSeen {
  method: string;
  uri: string;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}

export interface Door {
  /** The same path came too soon after the last time. */
  isTooSoon(uri: string): boolean;
  signIn(command: KpayCommand & { call: 'sign_in' }): Promise<Answer>;
  /** Of keys, application and signature; null: the request is the till's. */
  whatIsWrong(request: KpayRequestSeen): Answer | null;
  /** From now on everybody has to sign in anew. */
  loseKeys(): void;
}

export interface DoorParts {
  appId: string;
  appSecret: string;
  paceMs: number;
  dialect: KpayDialect;
  clock: Clock;
  /** Where fresh pairs of keys come from. */
  newKeys(): Promise<TerminalKeys>;
}

const wrongApplication = refusal(answerCode.wrongApplication, 'Developer application authentication failed');

export function createDoor({ appId, appSecret, paceMs, dialect, clock, newKeys }: DoorParts): Door {
  const lastSeen = new Map<string, number>();
  let keys: TerminalKeys | null = null;
  return {
    isTooSoon(uri) {
      const path = pathOf(uri);
      const sinceMs = clock.elapsed() - (lastSeen.get(path) ?? -Infinity);
      lastSeen.set(path, clock.elapsed());
      return sinceMs < paceMs;
    },
    async signIn(command) {
      if (command.appId !== appId || command.appSecret !== appSecret) return wrongApplication;
      keys = await newKeys();
      return {
        code: answerCode.accepted,
        data: {
          platformPublicKey: writtenKey(keys.platformPublicKey, 'PUBLIC KEY', dialect),
          appPrivateKey: writtenKey(keys.appPrivateKey, 'PRIVATE KEY', dialect),
        },
      };
    },
    whatIsWrong({ method, uri, headers, body }) {
      if (keys === null) return refusal(answerCode.keysGone, 'Working key does not exist, please re-sign in');
      if (headers['appid'] !== appId) return wrongApplication;
      const { timestamp = '', noncestr: nonceStr = '', signature = '' } = headers;
      const text = canonicalText({ method, uri, timestamp, nonceStr, body });
      return isSignatureOf(signature, text, keys.appPublicKey)
        ? null
        : refusal(answerCode.wrongSignature, 'Signature verification failed');
    },
    loseKeys() {
      keys = null;
    },
  };
}
