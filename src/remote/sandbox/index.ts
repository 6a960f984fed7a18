/** A local sandbox that serves the whole catalogue. */
export { createSandbox } from './sandbox.ts';
export type { Sandbox, SandboxOptions } from './sandbox.ts';
export type { SandboxClient } from './clients-and-scopes.ts';
export { SandboxStoreError } from './store/database.ts';
export { settlementOperation, settlementSchema } from './acquirer.ts';
