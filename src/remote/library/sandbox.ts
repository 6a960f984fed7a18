/** `tillbridge/remote/sandbox`: the whole interface on this computer, for trials and tests. Needs Node with SQLite. */
import { systemChance } from '../../base/chance.ts';
import { systemClock } from '../../base/clock.ts';
import { createSandbox as openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';

export * from '../sandbox/index.ts';

/** Throws SandboxStoreError when the file cannot be used, and Node's error when the port cannot. */
export function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, chance = systemChance(clock) } = options;
  return openSandbox({ ...options, clock, chance });
}
