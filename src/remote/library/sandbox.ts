/** `tillbridge/remote/sandbox`: the whole interface on this computer, for trials and tests. Needs Node with SQLite. */
import { systemChance } from '../../base/chance.ts';
import { systemClock } from '../../base/clock.ts';
import {
  createSandbox as openSandbox,
  type Sandbox,
  type SandboxClient,
  type SandboxOptions,
} from '../sandbox/index.ts';

export * from '../sandbox/index.ts';

/** Throws SandboxStoreError when the file cannot be used, and Node's error when the port cannot. */
export function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, chance = systemChance(clock) } = options;
  return openSandbox({ ...options, clock, chance });
}

/** What a test gives to `createRemoteClient`. */
export interface SandboxAccess {
  baseUrl: string;
  auth: SandboxClient;
}

/**
 * For tests: a sandbox that keeps nothing, on a free port, with data to look at, for as long as `work` takes. Gives what
 * `work` gives, and throws what it throws. The client is made by the caller, so that its errors are of the class that the
 * caller knows.
 */
export async function withSandbox<T>(
  work: (access: SandboxAccess, sandbox: Sandbox) => Promise<T>,
  options: Partial<SandboxOptions> = {},
): Promise<T> {
  const sandbox = await createSandbox({ dataDir: null, seed: true, ...options });
  try {
    return await work({ baseUrl: sandbox.baseUrl, auth: sandbox.client }, sandbox);
  } finally {
    await sandbox.close();
  }
}
