/** The journal as the engine uses it: a disk that fails is an answer, and is remembered until it works again. */
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Continuity, LastRecord } from '../../contract/terminal.ts';
import { type Journal, JournalWriteError } from '../journal/index.ts';
import type { Log } from '../../log/index.ts';
import type { OperationInput } from './operation-machine.ts';
import { applyInputs } from './operations.ts';

export interface JournalWriter {
  /** Why the last write failed; null when it did not. */
  readonly trouble: string | null;
  /** Throws `JournalWriteError`: the operation is not on disk, and nothing of it may be sent. */
  begin(operation: OperationStarted): void;
  /** False: the events could not be written, or had no place in the operation's state; the log has it. */
  apply(operationId: string, ...inputs: OperationInput[]): boolean;
  /** False: the events could not be written; the log has it. */
  append(...events: JournalEvent[]): boolean;
  /** What `read` finds, or `otherwise` when the journal cannot even be read. */
  read<T>(read: () => T, otherwise: T): T;
}

export function createJournalWriter(
  journal: Journal,
  log: Log,
  continuityOf: (current: LastRecord) => Continuity,
  onTrouble: () => void,
  uuid: () => string,
): JournalWriter {
  let trouble: string | null = null;

  function writing<T>(write: () => T): T {
    try {
      const value = write();
      if (trouble !== null) log.info('the journal can be written again');
      trouble = null;
      return value;
    } catch (error) {
      if (error instanceof JournalWriteError) note(error);
      throw error;
    }
  }

  function note(error: JournalWriteError) {
    if (trouble !== error.message) log.error('the journal cannot be used', { error });
    trouble = error.message;
    onTrouble();
  }

  /** What `write` gives, or null when the journal could not be written. */
  function tryWriting<T>(write: () => T): T | null {
    try {
      return writing(write);
    } catch (error) {
      if (error instanceof JournalWriteError) return null;
      throw error;
    }
  }

  function read<T>(find: () => T, otherwise: T): T {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      note(error);
      return otherwise;
    }
  }

  return {
    read,
    get trouble() {
      return trouble;
    },
    begin: (operation) => void writing(() => journal.append(operation)),
    apply(operationId, ...inputs) {
      const applied = tryWriting(() => applyInputs(journal, operationId, inputs, { continuityOf, uuid }));
      if (applied?.ok === false) {
        log.error('an input had no place', { operation_id: operationId, reason: applied.reason });
      }
      return applied?.ok === true;
    },
    append: (...events) => tryWriting(() => journal.append(...events)) !== null,
  };
}
