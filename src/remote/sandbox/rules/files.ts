/** Files: what is told of them is a record, their bytes are beside it. */
import { createHash } from 'node:crypto';
import type { Fields, StoredRecord } from '../store/records.ts';
import { insertNew, textOf, type SandboxContext } from '../sandbox-context.ts';

export function createFile(context: SandboxContext, request: Fields): StoredRecord {
  const bytes = Buffer.from(textOf(request, 'content'), 'base64');
  const file = insertNew(context, 'file', {
    name: request['name'],
    content_type: request['content_type'],
    purpose: request['purpose'] ?? 'other',
    size: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  context.database.sql
    .prepare('INSERT INTO file_content (file_id, content) VALUES (?, ?)')
    .run(file.id, bytes);
  return file;
}

export function fileContent(context: SandboxContext, file: StoredRecord): Fields {
  const row = context.database.sql.prepare('SELECT content FROM file_content WHERE file_id = ?').get(file.id);
  const bytes = row?.['content'];
  if (!(bytes instanceof Uint8Array)) throw new Error(`the content of file ${file.id} is missing`);
  return {
    file_id: file.id,
    content_type: file['content_type'],
    content: Buffer.from(bytes).toString('base64'),
  };
}
