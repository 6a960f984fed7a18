/** What PostgreSQL really did for a question: which relations it touched, how, and how many of their pages. */
import { z } from 'zod';
import type { Database } from '../../../src/office/database/database.ts';

interface Scan {
  /** As PostgreSQL names it: "Seq Scan", "Index Scan", "Bitmap Heap Scan". */
  how: string;
  relation: string;
  index: string | null;
  /** How many pages of 8 kB it touched. */
  buffers: number;
}

export interface Plan {
  /** What was read; scans that were planned and never begun are not among them. */
  scans: Scan[];
  /** Of all together. */
  buffers: number;
}

interface Node {
  'Node Type': string;
  'Actual Loops': number;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Shared Hit Blocks'?: number | undefined;
  'Shared Read Blocks'?: number | undefined;
  Plans?: Node[] | undefined;
}

const nodeSchema: z.ZodType<Node> = z.object({
  'Node Type': z.string(),
  'Actual Loops': z.number(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Shared Hit Blocks': z.number().optional(),
  'Shared Read Blocks': z.number().optional(),
  get Plans() {
    return z.array(nodeSchema).optional();
  },
});
const explainedSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: nodeSchema })]) })]);

/** The same database, which also has each question explained: `plans` are those since it was emptied. */
export function explaining(database: Database): { database: Database; plans: Plan[] } {
  const plans: Plan[] = [];
  return {
    plans,
    database: {
      ...database,
      async query<T extends object>(sql: string, values?: readonly unknown[]): Promise<T[]> {
        const explained = await database.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, values);
        const [row] = explainedSchema.parse(explained);
        const [{ Plan: root }] = row['QUERY PLAN'];
        plans.push({ scans: [...scansOf(root)], buffers: buffersOf(root) });
        return await database.query<T>(sql, values);
      },
    },
  };
}

function buffersOf(node: Node): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
}

function* scansOf(node: Node, index: string | null = null): Generator<Scan> {
  if (node['Actual Loops'] === 0) return;
  const relation = node['Relation Name'];
  // Below a bitmap of the heap stands the index that it is of.
  const own = node['Index Name'] ?? node.Plans?.find((part) => part['Index Name'])?.['Index Name'] ?? index;
  if (relation !== undefined)
    yield { how: node['Node Type'], relation, index: own, buffers: buffersOf(node) };
  for (const part of node.Plans ?? []) yield* scansOf(part);
}
