/** Without them a whole day, or every journal there is, was read for one page of payments. */
export const questionIndexes = `
-- The newest payments of all, or of one status.
CREATE INDEX payments_by_time ON payments (created_at);
-- Whether a journal has lost a payment; few journals have branches.
CREATE INDEX chains_by_branch ON chains (branch_of, branched_after) WHERE branch_of IS NOT NULL;
`;
