/** The files of an archive: one for each table and day, CSV packed with gzip, and a manifest that has the hash of each. */
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { replaceFile, syncFolder } from '../../../base/atomic-file.ts';
import { errorText } from '../../../base/error-text.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { dividedTables } from '../../database/partitions.ts';
import { createCsvReader, csvText, type CsvRow } from './csv.ts';

/** What keeps an archive from being written or read, in words for people. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

const manifestName = 'manifest.json';
const format = 1;

const entrySchema = z.object({
  table: z.enum(dividedTables),
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  /** In the manifest's own folder. */
  file: z.string().regex(/^[\w.-]+$/),
  columns: z.array(z.string().regex(/^[a-z_]+$/)),
  rows: z.number().int().min(0),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the database's tables. */
  schemaVersion: z.number().int().min(1),
  /** Of Tillbridge. */
  writtenBy: z.string(),
  writtenAt: z.string(),
});
export type ArchiveEntry = z.infer<typeof entrySchema>;
const manifestSchema = z.object({ format: z.literal(format), files: z.array(entrySchema) });

/** Empty where there is no manifest. Throws ArchiveError when it cannot be read. */
export function readManifest(folder: string): ArchiveEntry[] {
  const file = path.join(folder, manifestName);
  if (!existsSync(file)) return [];
  const parsed = parseJson(readFileSync(file, 'utf8'));
  const manifest = parsed.ok ? manifestSchema.safeParse(parsed.value) : null;
  if (manifest?.success === true) return manifest.data.files;
  throw new ArchiveError(
    `${file} is no manifest that this version of Tillbridge can read. Take the folder back from its copy, or update the office.`,
  );
}

/** In the place of an earlier one of the same table and day. */
export function addToManifest(folder: string, entry: ArchiveEntry): void {
  const others = readManifest(folder).filter(({ table, day }) => table !== entry.table || day !== entry.day);
  const files = [...others, entry].toSorted((one, other) => (one.file < other.file ? -1 : 1));
  replaceFile(path.join(folder, manifestName), `${JSON.stringify({ format, files }, null, 2)}\n`);
}

const pack = promisify(gzip);

/** What was written, as it is on the disk. */
export interface WrittenFile {
  rows: number;
  bytes: number;
  sha256: string;
}

/** Writes pages of rows, and reads all of it again before the file has its name. */
export async function writeArchiveFile(
  file: string,
  columns: readonly string[],
  pages: AsyncIterable<CsvRow[]>,
): Promise<WrittenFile> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  const handle = openSync(unfinished, 'w', 0o600);
  const content = createHash('sha256');
  let rows = 0;
  try {
    const write = async (page: readonly CsvRow[]) => {
      const text = csvText(page);
      content.update(text);
      // A file of several packed parts is one packed file (RFC 1952, section 2.2).
      const bytes = await pack(text);
      for (let at = 0; at < bytes.length; at += writeSync(handle, bytes, at));
    };
    await write([[...columns]]);
    for await (const page of pages) {
      rows += page.length;
      await write(page);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  const again = createHash('sha256');
  let rowsAgain = -1;
  const written = await readPacked(unfinished, (page) => {
    rowsAgain += page.length;
    again.update(csvText(page));
  });
  if (rowsAgain !== rows || again.digest('hex') !== content.digest('hex'))
    throw new ArchiveError(`${unfinished} is not on the disk as it was written. Look at the disk.`);
  renameSync(unfinished, file);
  syncFolder(path.dirname(file));
  return { rows, ...written };
}

/** Gives the rows of a file in pages. Throws ArchiveError when it is not the file of its manifest. */
export async function readArchiveFile(
  folder: string,
  entry: ArchiveEntry,
  onPage: (rows: CsvRow[]) => void | Promise<void>,
): Promise<void> {
  const file = path.join(folder, entry.file);
  let rows = -1;
  let header: CsvRow | undefined;
  const found = await readPacked(
    file,
    async (page) => {
      rows += page.length;
      header ??= page.shift();
      if (page.length > 0) await onPage(page);
    },
    entry.sha256,
  );
  if (rows !== entry.rows || found.bytes !== entry.bytes || header?.join() !== entry.columns.join())
    throw new ArchiveError(`${file} has other rows than its manifest says. ${fromCopy}`);
}

const fromCopy = 'Nothing of it was read. Take the file from a copy of the folder.';

async function readPacked(
  file: string,
  onPage: (rows: CsvRow[]) => void | Promise<void>,
  expected?: string,
): Promise<{ bytes: number; sha256: string }> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ArchiveError(`${file} cannot be read: ${errorText(error)}. ${fromCopy}`);
  }
  const sha256 = hexOf(createHash('sha256').update(bytes));
  if (expected !== undefined && sha256 !== expected)
    throw new ArchiveError(`${file} is damaged: its hash is not the one of the manifest. ${fromCopy}`);
  const reader = createCsvReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const gunzip = createGunzip();
  gunzip.end(bytes);
  for await (const piece of gunzip) {
    const rows = reader.take(decoder.decode(piece as Buffer, { stream: true }));
    if (rows.length > 0) await onPage(rows);
  }
  reader.end();
  return { bytes: bytes.length, sha256 };
}

function hexOf(hash: Hash): string {
  return hash.digest('hex');
}
