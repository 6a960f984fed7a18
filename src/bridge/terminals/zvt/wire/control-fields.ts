/** Names of the control fields (ZVT PA00P015, chapter 2 and 3), as a wire trace and `tillbridge decode` show them. */
const names: Readonly<Record<string, string>> = {
  '0401': 'set-date-time-in-ecr',
  '040d': 'input-request',
  '040e': 'menu-request',
  '040f': 'status-information',
  '04ff': 'intermediate-status',
  '0501': 'status-enquiry',
  '0600': 'registration',
  '0601': 'authorisation',
  '0602': 'log-off',
  '060f': 'completion',
  '0610': 'send-turnover-totals',
  '0612': 'reprint-receipts',
  '0618': 'reset-terminal',
  '061a': 'print-system-configuration',
  '061e': 'abort',
  '0620': 'repeat-receipt',
  '0621': 'telephonic-authorisation',
  '0622': 'pre-authorisation',
  '0623': 'partial-reversal',
  '0624': 'book-total',
  '0625': 'pre-authorisation-reversal',
  '0630': 'reversal',
  '0631': 'refund',
  '0650': 'end-of-day',
  '0670': 'diagnosis',
  '0691': 'set-date-time',
  '0693': 'initialisation',
  '06b0': 'abort-by-ecr',
  '06c0': 'read-card',
  '06d1': 'print-line',
  '06d3': 'print-text-block',
  '06e0': 'display-text',
  '06e1': 'display-text-with-key-input',
  '06e2': 'display-text-with-number-input',
  '0840': 'change-baud-rate',
};

/** The name of a control field of four hex digits; `unknown` for one that is not in the documents. */
export function controlFieldName(ctrl: string): string {
  if (ctrl === '8000' || ctrl === '8400') return 'positive-ack';
  if (ctrl === '849c') return 'repeat-status';
  if (ctrl === '849d') return 'partial-issue';
  if (/^84..$/.test(ctrl)) return 'negative-ack';
  return names[ctrl] ?? 'unknown';
}
