/** What is kept on disk of the device behind the port that the settings name: one small file beside the journal. */
import { existsSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { parseJson } from '../../base/parse-json.ts';
import { readPlainFile } from '../../base/private-files.ts';
import type { Log } from '../../log/index.ts';
import { rememberedDeviceSchema, type RememberedDevice } from './remembered-device.ts';

const maxFileBytes = 16_384;
const fileSchema = z.object({ port: z.string(), device: rememberedDeviceSchema });

export interface DeviceMemory {
  /** The port that is known, as the settings name it; null: none is. */
  readonly port: string | null;
  /** What was behind `port`, as the settings name it; null: nothing is known of it. */
  recall(port: string): RememberedDevice | null;
  /** Of one port only: another one takes its place. What cannot be written is not known next time, and is logged. */
  remember(port: string, device: RememberedDevice): void;
  /** Whatever is behind the port next is right. Throws what the file system throws. */
  forget(): void;
}

/** `file` may be read and forgotten by other processes while a bridge uses it. */
export function createDeviceMemory(file: string, log: Log): DeviceMemory {
  function read(): z.infer<typeof fileSchema> | null {
    try {
      if (!existsSync(file)) return null;
      const json = parseJson(readPlainFile(file, { maxBytes: maxFileBytes }).toString());
      if (json.ok) return fileSchema.parse(json.value);
      throw new Error(`no JSON in line ${json.line}, column ${json.column}`);
    } catch (error) {
      log.warn('the remembered device cannot be read; the one at the port is taken', { file, err: error });
      return null;
    }
  }

  return {
    get port() {
      return read()?.port ?? null;
    },
    recall(port) {
      const known = read();
      return known?.port === port ? known.device : null;
    },
    remember(port, device) {
      if (isDeepStrictEqual(read(), { port, device })) return;
      try {
        replaceFile(file, `${JSON.stringify({ port, device }, null, 2)}\n`);
      } catch (error) {
        log.warn('the device at the port cannot be remembered', { file, err: error });
      }
    },
    forget: () => rmSync(file, { force: true }),
  };
}
