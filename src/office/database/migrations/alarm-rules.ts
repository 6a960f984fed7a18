/** Whether the alarm rules that count tell anybody. */
export const alarmRules = `
-- Rules that tell somebody count before rules that tell nobody, whichever process was started later.
ALTER TABLE alarm_turn ADD COLUMN rules_tell boolean NOT NULL DEFAULT false;
`;
