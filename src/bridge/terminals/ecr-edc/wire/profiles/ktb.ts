/**
 * Krungthai Bank, as far as its public clients show it: enough to read its frames. It is no terminal that can
 * be driven: its code for a payment depends on how the shop is paid, and nobody has tried it.
 */
import type { EdcProfileData } from './profile.ts';
import { usualResponses, usualTimes } from './usual.ts';

export const ktb: EdcProfileData = {
  name: 'ktb',
  baudRate: 9_600,
  lrcIncludesStx: true,
  transportHeader: '0000000000',
  deviceInHeader: false,
  formatVersion: 'ascii',
  currencies: ['THB'],
  commands: {
    void: { txCode: '26', fields: ['65'] },
    settlement: { txCode: '50' },
  },
  notices: {},
  responses: usualResponses,
  ...usualTimes,
};
