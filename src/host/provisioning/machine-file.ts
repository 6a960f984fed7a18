/**
 * The provision file of a whole computer, which an installer puts where only administrators write. Each user's app carries
 * it out once at its next start, and again when its content has changed; what the user sets afterwards stays. One start at a
 * time does so. That it was carried out is noted last, with the settings: one that ended in between is carried out again
 * whole, and finds the tokens that it has made.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readPlainFile } from '../../base/private-files.ts';
import { acquireExclusiveLock } from '../../bridge/locks/index.ts';
import { errorText } from '../../base/error-text.ts';
import { provision, type ProvisionTools } from './provision.ts';
import { readProvision } from './read-provision.ts';

const maxFileBytes = 1024 * 1024;
/** How long a start waits for another that carries it out; that takes some milliseconds. */
const lockWaitMs = 2_000;

/** To be called before the settings are used. Gives sentences about what is wrong with the file; the app starts anyway. */
export function provisionFromMachine(
  file: string | null,
  dataDir: string,
  tools: ProvisionTools,
  waitMs = lockWaitMs,
): string[] {
  if (file === null || !existsSync(file)) return [];
  let mark: string;
  try {
    mark = createHash('sha256')
      .update(readPlainFile(file, { maxBytes: maxFileBytes, own: true }))
      .digest('hex');
  } catch (error) {
    return [`${file} cannot be used: ${errorText(error)}`];
  }
  if (tools.store.stored.provisioned === mark) return [];
  try {
    const lock = acquireExclusiveLock(path.join(dataDir, 'provision.lock'), waitMs);
    if (lock.kind === 'taken') return [`${file} is being carried out by another start of Tillbridge.`];
    try {
      // The other start may have done it while this one waited.
      tools.store.reload();
      return tools.store.stored.provisioned === mark ? [] : carryOut(file, mark, dataDir, tools);
    } finally {
      lock.release();
    }
  } catch (error) {
    return [`${file} cannot be used: ${errorText(error)}`];
  }
}

function carryOut(file: string, mark: string, dataDir: string, tools: ProvisionTools): string[] {
  const read = readProvision({
    file,
    fileMustBeOwn: true,
    flags: {},
    appFlags: {},
    tokenFlags: [],
    currentFolder: dataDir,
  });
  if (!read.ok)
    return [...read.errors.map((error) => `${error} Nothing of the file was used.`), ...read.warnings];
  const done = provision(dataDir, read.provision, tools, { mark });
  return [...read.warnings, ...done.warnings, ...(done.ok ? [] : [done.message])];
}
