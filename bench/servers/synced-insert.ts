/** One payment in one row of one table, on disk when it returns: the least that "durable" can mean with SQLite. */
import { DatabaseSync } from 'node:sqlite';

export function openInsert(file: string): (body: Record<string, string>) => void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE payments (reference TEXT PRIMARY KEY, amount TEXT NOT NULL, at TEXT NOT NULL) STRICT',
  );
  const insert = database.prepare('INSERT INTO payments VALUES (?, ?, ?)');
  return (body) => {
    insert.run(body['retrieval_reference_number'] ?? '', body['amount'] ?? '', new Date().toISOString());
  };
}
