/** Terminals of which no more is known than that they speak ECR-EDC: no query, no progress, no probe. */
import type { EdcProfileData } from './profile.ts';
import { usualResponses, usualTimes } from './usual.ts';

export const generic: EdcProfileData = {
  name: 'generic',
  baudRate: 9_600,
  lrcIncludesStx: false,
  transportHeader: '6000000000',
  deviceInHeader: false,
  formatVersion: 'ascii',
  commands: {
    sale: { txCode: '20', fields: ['40'] },
    void: { txCode: '26', fields: ['65'] },
    refund: { txCode: '27', fields: ['40'] },
    settlement: { txCode: '50', optionalFields: ['HN'] },
    // No 71: it prints a receipt again with one acquirer, and voids a payment with another.
  },
  notices: {},
  responses: usualResponses,
  ...usualTimes,
};
