/** Kasikorn “Link POS” (KBTG Link POS Specification 1.5.0). */
import type { EdcProfileData } from './profile.ts';
import { usualResponses, usualTimes } from './usual.ts';

export const kbtg: EdcProfileData = {
  name: 'kbtg',
  baudRate: 9_600,
  lrcIncludesStx: false,
  transportHeader: '6000000000',
  deviceInHeader: true,
  formatVersion: 'ascii',
  currencies: ['THB'],
  commands: {
    // R1 goes into every payment: without it, nothing can be asked about it afterwards.
    sale: { txCode: '20', fields: ['40', 'R1'], optionalFields: ['R2'], more: '1' },
    void: { txCode: '26', fields: ['65'], more: '1' },
    void_by_trace: { txCode: '71', fields: ['65'], more: '1' },
    refund: { txCode: '27', fields: ['40'], more: '1' },
    settlement: { txCode: '50', optionalFields: ['HN'], more: '1' },
    inquiry: { txCode: '74', fields: ['R1'], more: '1' },
    probe: { txCode: 'D0' },
    cancel: { txCode: 'D1' },
  },
  notices: {
    C0: { step: 'insert_card', text: 'Waiting for the card' },
    C1: { step: 'please_wait', text: 'Card inserted' },
    C2: { step: 'remove_card', text: 'Please remove the card' },
    C3: { step: 'please_wait', text: 'Card removed' },
    P1: { step: 'enter_pin', text: 'Waiting for the PIN' },
    P2: { step: 'please_wait', text: 'PIN entered' },
    P3: { step: 'other', text: 'No PIN was entered in time' },
    P4: { step: 'other', text: 'PIN entry cancelled' },
  },
  responses: usualResponses,
  ...usualTimes,
};
