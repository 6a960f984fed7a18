/** What the bridge sends to the head office of its chain of shops. */
export { createOffice } from './office.ts';
export type { OfficeStatus } from './office-link.ts';
