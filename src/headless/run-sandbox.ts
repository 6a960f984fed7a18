/** Runs the sandbox of the remote interface until a signal. */
import path from 'node:path';
import { createLog } from '../log/index.ts';
import { createSandbox, SandboxStoreError, type Sandbox } from '../remote/sandbox/index.ts';
import { watchStopSignals } from './stop-signals.ts';
import { exitFailed, exitOk, exitUsage, type CliContext } from './cli-context.ts';

export interface SandboxFlags {
  port: number;
  dataDir?: string;
  seed?: boolean;
}

/** Known to everybody, so that a tour can be followed word for word; there is nothing but pretended money behind it. */
export const demoClient = { clientId: 'demo', clientSecret: 'demo-secret' };

export async function runSandbox(flags: SandboxFlags, context: CliContext): Promise<number> {
  if (!Number.isInteger(flags.port) || flags.port < 0 || flags.port > 65_535) {
    context.error('--port must be a whole number from 0 to 65535.');
    return exitUsage;
  }
  const dataDir = path.resolve(
    context.currentFolder,
    flags.dataDir ?? path.join(context.defaultDataDir, 'remote-sandbox'),
  );
  const signals = watchStopSignals(context);
  const { log, close: closeLog } = createLog({ folder: dataDir, level: 'info', clock: context.clock });
  try {
    const sandbox = await createSandbox({
      dataDir,
      port: flags.port,
      seed: flags.seed === true,
      ...(flags.seed === true ? { clients: [demoClient] } : {}),
      clock: context.clock,
      chance: context.chance,
      log,
    });
    info(sandbox, dataDir, context);
    await signals.first;
    await sandbox.close();
    context.endSoon();
    return exitOk;
  } catch (error) {
    const expected = error instanceof SandboxStoreError || (error instanceof Error && 'syscall' in error);
    if (!expected) throw error;
    context.error(`The sandbox cannot start: ${error.message}`);
    return exitFailed;
  } finally {
    await closeLog();
    signals.release();
  }
}

function info(sandbox: Sandbox, dataDir: string, context: CliContext): void {
  const { clientId, clientSecret } = sandbox.client;
  context.info(`Sandbox listening on ${sandbox.baseUrl} (play money; data in ${dataDir})`);
  context.info(`Client id: ${clientId}`);
  context.info('Client secret:', clientSecret);
}
