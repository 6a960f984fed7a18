/**
 * What is wrong between bridge and office, by the part that has met it: the sender of a journal, the heartbeat, the
 * enrolment. Attempts are many and an outage is one, so each kind of trouble is logged once until all is well again.
 */
import type { Log, LogFields } from '../../log/index.ts';

type TroubleKind =
  | 'unreachable'
  | 'unusable'
  | 'refused'
  | 'journal_unreadable'
  | 'chain_broken'
  | 'code_missing'
  | 'code_unknown'
  | 'key_unknown'
  | 'key_not_kept';

export interface Trouble {
  kind: TroubleKind;
  /** A sentence. */
  message: string;
  fields?: LogFields;
}

export interface Troubles {
  report(part: string, trouble: Trouble): void;
  /** It has got through. */
  over(part: string): void;
  /** It is no longer tried. */
  forget(part: string): void;
  all(): Trouble[];
}

export function createTroubles(log: Log): Troubles {
  const current = new Map<string, Trouble>();
  /** What was logged since all was well. */
  const logged = new Set<string>();

  return {
    report(part, trouble) {
      current.set(part, trouble);
      // A broken chain is one journal's affair; the rest is the same for all of them.
      const kind = trouble.kind === 'chain_broken' ? `${trouble.kind} ${part}` : trouble.kind;
      if (logged.has(kind)) return;
      logged.add(kind);
      write(log, trouble);
    },
    over(part) {
      current.delete(part);
      if (current.size > 0 || logged.size === 0) return;
      logged.clear();
      log.info('the head office takes everything again');
    },
    forget: (part) => void current.delete(part),
    all: () => [...current.values()],
  };
}

function write(log: Log, { kind, message, fields }: Trouble): void {
  const more = { ...fields, problem: message };
  switch (kind) {
    case 'unreachable':
      return log.warn('the head office cannot be reached; what it lacks is kept and sent later', more);
    case 'unusable':
      return log.warn('what the head office answers cannot be used; it is asked again later', more);
    case 'refused':
      return log.warn('the head office does not take what it is sent; it is tried again later', more);
    case 'journal_unreadable':
      return log.error('the journal cannot be read for the head office', more);
    case 'chain_broken':
      return log.error(
        'the head office found an event of the journal that does not fit its place: nothing after it is sent. ' +
          'Check the journal with "tillbridge journal verify"',
        more,
      );
    case 'code_missing':
      return log.error('the head office needs a new code (--office-code) of this bridge', more);
    case 'code_unknown':
      return log.error('the head office does not know the code of this bridge, or it was used before', more);
    case 'key_unknown':
      return log.error(
        'the head office no longer knows this bridge, and nothing is sent: enrol it again with a new code (--office-code)',
        more,
      );
    case 'key_not_kept':
      return log.error('the key of the head office cannot be kept, so nothing is sent yet', more);
  }
}
