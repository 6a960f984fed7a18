/** Keys, links and sessions: made of 256 random bits, kept as their hashes only. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../base/chance.ts';

const secretBytes = 32;

export function newSecret(chance: Chance): string {
  return Buffer.from(chance.bytes(secretBytes)).toString('base64url');
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether they are the same, in a time that tells nothing of how far they are. */
export function isSame(secret: string, other: string): boolean {
  return timingSafeEqual(hashOf(secret), hashOf(other));
}
