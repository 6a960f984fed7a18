/** What each finding says: English, as it is kept. `src/locales/bridge/` has these sentences in other languages. */

/** In a message. */
const maxNamed = 5;

export function unreadableEvent(seq: number): string {
  return `Event ${seq} cannot be read.`;
}

export function missingEvent(seq: number, came: number): string {
  return `Event ${seq} is missing: event ${came} came in its place.`;
}

export function changedEvent(seq: number): string {
  return `Event ${seq} does not fit its hash: it or the event before it was changed.`;
}

/** `more`: how many events behind `seq` the office has. */
export function journalBehind(seq: number, more: number): string {
  return (
    `The journal ends with event ${seq}, and the office has ${more} more of it: an older copy was put back. Payments after ` +
    'it are known here and not in the shop.'
  );
}

/** `lost`: how many events from `seq` on are not in it any more. */
export function journalBranched(seq: number, lost: number, repaired: boolean): string {
  return (
    `The journal goes on otherwise than the office has it, from event ${seq} on. ${lost} events that it had are not in it ` +
    `any more: ${lossCause(seq, repaired)} Compare the payments among them with the terminal’s records.`
  );
}

function lossCause(seq: number, repaired: boolean): string {
  if (repaired) return 'it was repaired, and they were lost.';
  return seq === 1
    ? 'it was deleted or repaired, and begins anew.'
    : 'an older copy was put back, or a second computer works with a copy.';
}

export function twoPlaces(seq: number): string {
  return (
    `Since event ${seq} the journal goes on in two ways, now in the one and now in the other: two computers work with copies of ` +
    'it, or a copy was put back once more. Of two computers stop one: each may charge what the other has charged already.'
  );
}

/** `names`: references of the operations, or what else they are called. */
export function operationsLost(names: readonly string[]): string {
  const named = names.slice(0, maxNamed).join(', ');
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return (
    `The journal goes on without operations that are in doubt: ${named}${more}. Nothing more will be heard of them. Compare them ` +
    'with the terminal’s records.'
  );
}

/** `message`: what it says. */
export function discrepancyLost(message: string): string {
  return `The journal goes on without a discrepancy that nobody had acknowledged, so it is not open here any more. It said: ${message}`;
}

export function otherBridge(seq: number): string {
  return `From event ${seq} on another bridge of the shop sends this journal: its computer was replaced, or it was copied.`;
}

export function paymentsElsewhere(seq: number, count: number): string {
  return count === 1
    ? `A payment from event ${seq} on is known from another journal: this one is a copy of it.`
    : `${count} payments from event ${seq} on are known from another journal: this one is a copy of it.`;
}

/** `others`: how many events beside the first one. */
export function notUnderstood(seq: number, type: string, others: number): string {
  const first =
    others === 0
      ? `Event ${seq} (${type}) does not fit what this office knows. It is kept.`
      : `Event ${seq} (${type}) and ${others} others do not fit what this office knows. They are kept.`;
  return (
    `${first} Update the office, which reads ${others === 0 ? 'it' : 'them'} again then, and look at the payments of that ` +
    'time in the shop.'
  );
}

export function newerBridge(seq: number, what: readonly string[]): string {
  const named = what.slice(0, maxNamed).join(', ');
  const more = what.length > maxNamed ? ` and ${what.length - maxNamed} more` : '';
  return (
    `From event ${seq} on a bridge says what this office does not know yet: ${named}${more}. All of it is kept. Update the ` +
    'office: it reads this again then. Other shops that send the same are not named.'
  );
}
