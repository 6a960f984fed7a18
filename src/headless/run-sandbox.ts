/** Runs the sandbox of the remote interface until a signal. */
import path from 'node:path';
import { createLog } from '../log/index.ts';
import { createSandbox, SandboxStoreError, type Sandbox } from '../remote/sandbox/index.ts';
import { watchStopSignals } from './stop-signals.ts';
import { exitFailed, exitOk, exitUsage, type World } from './world.ts';

export interface SandboxFlags {
  port: number;
  dataDir?: string;
  seed?: boolean;
}

/** Known to everybody, so that a tour can be followed word for word; there is nothing but pretended money behind it. */
const demoClient = { clientId: 'demo', clientSecret: 'demo-secret' };

export async function runSandbox(flags: SandboxFlags, world: World): Promise<number> {
  if (!Number.isInteger(flags.port) || flags.port < 0 || flags.port > 65_535) {
    world.complain('--port must be a whole number from 0 to 65535.');
    return exitUsage;
  }
  const dataDir = path.resolve(
    world.currentFolder,
    flags.dataDir ?? path.join(world.defaultDataDir, 'remote-sandbox'),
  );
  const signals = watchStopSignals(world);
  const { log, close: closeLog } = createLog({ folder: dataDir, level: 'info', clock: world.clock });
  try {
    const sandbox = await createSandbox({
      dataDir,
      port: flags.port,
      seed: flags.seed === true,
      ...(flags.seed === true ? { clients: [demoClient] } : {}),
      clock: world.clock,
      chance: world.chance,
      log,
    });
    announce(sandbox, dataDir, world);
    await signals.first;
    await sandbox.close();
    world.endSoon();
    return exitOk;
  } catch (error) {
    const expected = error instanceof SandboxStoreError || (error instanceof Error && 'syscall' in error);
    if (!expected) throw error;
    world.complain(`The sandbox cannot start: ${error.message}`);
    return exitFailed;
  } finally {
    await closeLog();
    signals.release();
  }
}

function announce(sandbox: Sandbox, dataDir: string, world: World): void {
  const { clientId, clientSecret } = sandbox.client;
  world.announce(`Sandbox listening on ${sandbox.baseUrl} (pretended money; data in ${dataDir})`);
  world.announce(`Client id: ${clientId}`);
  world.announce('Client secret:', clientSecret);
}
