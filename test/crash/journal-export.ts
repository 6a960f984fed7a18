/** The journal as `tillbridge journal export` prints it, which works while a bridge writes on. */
import { z } from 'zod';
import { journalEventSchema, type StoredEvent } from '../../src/contract/journal-events.ts';
import type { ShopBooks } from './shop.ts';

const lineSchema = z.object({ seq: z.number(), at: z.string(), event: journalEventSchema });

export async function readJournal(shop: ShopBooks): Promise<StoredEvent[]> {
  const { exitCode, output, stdout } = await shop.command('journal', 'export');
  if (exitCode !== 0) throw new Error(`the journal cannot be exported: ${output}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.parse(JSON.parse(line)));
}
