/** What a signed feed of versions says, and when a new one may be installed. */
export { createUpdateNotice, type UpdateNotice } from './notice.ts';
export { openSeenVersions } from './seen-versions.ts';
export { listFileOf, type FeedFetch } from './feed.ts';
export { publicKeyText, signatureFileOf, signList } from './signature.ts';
