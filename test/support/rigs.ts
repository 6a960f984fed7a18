/** Rigs for one test file: each is closed after its test, and a fault of the bridge in it fails the test. */
import { afterEach } from 'vitest';
import type { CoreRig, CoreRigOptions, TerminalParts } from './core-rig.ts';
import { createRig, type Rig, type RigOptions } from './rig.ts';
import {
  createTerminalRig,
  type TerminalOnCable,
  type TerminalRig,
  type TerminalSide,
} from './terminal-rig.ts';
import type { WireThing } from './wire-tap.ts';

let rigs: CoreRig[] = [];

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

/** A terminal of any protocol, ready. */
export async function terminalUp<Simulator extends TerminalSide>(
  plugIn: (parts: TerminalParts) => TerminalOnCable<Simulator>,
  options: CoreRigOptions = {},
): Promise<TerminalRig<Simulator>> {
  const rig = createTerminalRig(plugIn, options);
  rigs.push(rig);
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

export function payment(rig: CoreRig, reference: string) {
  const answer = rig.payments.queryPayment(reference);
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}
