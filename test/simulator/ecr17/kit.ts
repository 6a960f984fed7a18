/** What the tests beside this file ask an ECR17 simulator. */
import type { LineConnection } from '../../../src/bridge/lines/line.ts';
import {
  createEcr17Simulator,
  type Ecr17Simulator,
  type Ecr17SimulatorOptions,
} from '../../../src/simulator/ecr17/ecr17-simulator.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { setUpOnLine, type LineKit } from '../line-kit.ts';
import { createTill, type Till } from './till.ts';

type Options = Partial<Ecr17SimulatorOptions>;
type Kit = LineKit<Ecr17Simulator, Till, Options>;

export function setUp(options: Options = {}): Kit {
  const till = (near: LineConnection, clock: VirtualClock) => createTill(near, clock, options.dialect?.lrc);
  return setUpOnLine('ecr17', createEcr17Simulator, till, options);
}

/** A field of a message by its position, which counts from 1. */
export function part(text: string | undefined, position: number, length: number): string | undefined {
  return text?.slice(position - 1, position - 1 + length);
}

const head = '000000000';
const till = '00000001';

/** P or X of so many cents. */
export function pay(amountMinor: number, code: 'P' | 'X' = 'X', flags = { tags: '0', card: '0' }): string {
  const amount = String(amountMinor).padStart(8, '0');
  return `${head}${code}${till}${flags.tags}00${flags.card}0${amount}${' '.repeat(128)}00000000`;
}
export const status = `${head}s`;
export const lastResult = `${head}G${till}0000`;
export const totals = `${head}T${till}00000000`;
export const close = `${head}C${till}00000000`;
export const reverse = (stan: string) => `${head}S${till}${stan}00`;
export const printOnTill = (on: '0' | '1') => `${head}E${on}`;
export const reprint = (onTill: '0' | '1', ticket: '0' | '1') => `${head}R${onTill}${ticket}0000000000`;
