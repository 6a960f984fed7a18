/** Rigs for one test file: each is closed after its test, and a fault of the bridge in it fails the test. */
import { afterEach } from 'vitest';
import { createRig, type Rig, type RigOptions } from './rig.ts';
import type { WireThing } from './wire-tap.ts';

let rigs: Rig[] = [];

export function closeRigsAfterEach(): void {
  afterEach(async () => {
    const all = rigs;
    rigs = [];
    for (const rig of all) await rig.close();
  });
}

/** A rig that may not be ready yet. */
export function newRig(options: RigOptions = {}): Rig {
  const rig = createRig(options);
  rigs.push(rig);
  return rig;
}

export async function rigUp(options: RigOptions = {}): Promise<Rig> {
  const rig = newRig(options);
  await rig.ready();
  return rig;
}

export const is = (ctrl: string) => (thing: WireThing) => thing.kind === 'apdu' && thing.ctrl === ctrl;

/** Fits the first thing that fits, once. */
export function once(fits: (thing: WireThing) => boolean): (thing: WireThing) => boolean {
  let met = false;
  return (thing) => {
    if (met || !fits(thing)) return false;
    met = true;
    return true;
  };
}

export function payment(rig: Rig, reference: string) {
  const answer = rig.payments.queryPayment(reference);
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}
