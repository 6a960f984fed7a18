/**
 * Whether the last day for a batch's money has passed, as it was found last. Offices before this step leave it as it is:
 * what is `late` or `short` has passed it in any case.
 */
export const overdueDeposits = `
ALTER TABLE deposits ADD COLUMN past_due boolean NOT NULL DEFAULT false;

UPDATE deposits SET past_due = true
FROM deposit_looks
WHERE deposit_looks.merchant = deposits.merchant
  -- Wherever the merchant is, that day is over there.
  AND (state IN ('late', 'short') OR due_by < (looked_at AT TIME ZONE 'UTC' - interval '12 hours')::date);
`;
