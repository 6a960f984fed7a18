/**
 * Which receipts have been printed from a console, so that every further one says that it is a copy. Kept in a small file:
 * a restart of the bridge must not make a copy into an original.
 */
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../base/atomic-file.ts';
import { readPlainFile } from '../base/private-files.ts';
import type { Log } from '../log/index.ts';

/** More than are printed within weeks; what is older than all of them counts as printed. */
const maxRemembered = 2_000;
const maxFileBytes = 1024 * 1024;

const fileSchema = z.object({
  version: z.literal(1),
  /** Transaction ids with the positions of their payments, in the order in which they were printed. */
  printed: z.array(z.object({ transactionId: z.string(), position: z.number().int() })).max(maxRemembered),
  /** Up to this position nothing is remembered any more. */
  forgottenUpTo: z.number().int(),
});
type PrintedFile = z.infer<typeof fileSchema>;

interface PrintedPayment {
  transactionId: string;
  position: number;
}

export interface PrintedReceipts {
  /** Also true of what cannot be remembered any more. */
  has(payment: PrintedPayment): boolean;
  /** Never throws: that it cannot be written is in the log, and it is known until the next start. */
  add(payment: PrintedPayment): void;
}

const nothing: PrintedFile = { version: 1, printed: [], forgottenUpTo: 0 };

export function createPrintedReceipts(dataDir: string, log: Log): PrintedReceipts {
  const file = path.join(dataDir, 'printed-receipts.json');
  let content: PrintedFile | null = null;
  const known = () => (content ??= read());

  function read(): PrintedFile {
    try {
      return fileSchema.parse(
        JSON.parse(readPlainFile(file, { maxBytes: maxFileBytes, own: true }).toString('utf8')),
      );
    } catch (error) {
      if (!isMissing(error)) log.warn('it cannot be read which receipts were printed before', { err: error });
      return nothing;
    }
  }

  const isKnown = ({ transactionId }: PrintedPayment) =>
    known().printed.some((each) => each.transactionId === transactionId);

  return {
    has: (payment) => payment.position <= known().forgottenUpTo || isKnown(payment),
    add(payment) {
      if (isKnown(payment)) return;
      const { transactionId, position } = payment;
      const all = [...known().printed, { transactionId, position }];
      const forgotten = all.slice(0, -maxRemembered).map((each) => each.position);
      content = {
        version: 1,
        printed: all.slice(-maxRemembered),
        forgottenUpTo: Math.max(known().forgottenUpTo, ...forgotten),
      };
      try {
        replaceFile(file, JSON.stringify(content));
      } catch (error) {
        log.warn('it cannot be kept which receipts were printed', { err: error });
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
