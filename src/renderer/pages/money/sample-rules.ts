/** Rules to begin with, as in docs/reconcile.md: everything in them is an example. */
export const sampleRules = JSON.stringify(
  {
    timeZone: 'Europe/Berlin',
    acquirers: [
      {
        name: 'Acme',
        account: 'DE89370400440532013000',
        currency: 'EUR',
        entries: { remark: ['ACME SETTLEMENT'] },
        names: ['BATCH {batch} TID {terminal}'],
        delay: { usual: 1, latest: 3 },
        payout: 'net',
        fee: { percent: '0.95', fixed: '0.08' },
      },
    ],
  },
  null,
  2,
);
