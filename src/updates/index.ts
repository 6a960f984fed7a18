/** What a signed feed of versions says, and when a new one may be installed. */
export { createUpdateNotice, stepOf, type UpdateNotice } from './notice.ts';
export { createUpdateWatch } from './watch.ts';
export { openSeenVersions, type SeenVersions } from './seen-versions.ts';
export { feedFolder, listFileOf, type FeedAnswer, type FeedFetch, type FoundRelease } from './feed.ts';
export { isWithinHours, nextWithinHours } from './hours.ts';
export { publicKeyText, signatureFileOf, signList } from './signature.ts';
