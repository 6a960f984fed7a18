/**
 * The provision file of a whole computer, which an installer puts where only administrators write. Each user's app carries
 * it out once at its next start, and again when its content has changed; what the user sets afterwards stays.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readPlainFile } from '../../base/private-files.ts';
import { errorText } from '../../base/error-text.ts';
import { provision, type ProvisionTools } from './provision.ts';
import { readProvision } from './read-provision.ts';

const maxFileBytes = 1024 * 1024;

/** To be called before the settings are used. Gives sentences about what is wrong with the file; the app starts anyway. */
export function provisionFromMachine(file: string | null, dataDir: string, tools: ProvisionTools): string[] {
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
