/** "Why is it not working?": the way from the till to the terminal, one check after the other, each with what was found. */
import { z } from 'zod';
import { errorCodeSchema } from '../errors.ts';

/** The checks in the order of the way. */
export const diagnosisChecks = [
  'bridge',
  'settings',
  'money',
  'address',
  'port',
  'permission',
  'answers',
  'registered',
  'ready',
  'record',
  'listener',
  'pos',
  'origin',
  'token',
  'journal',
  'disk',
  'clock',
  'office',
] as const;
export type DiagnosisCheck = (typeof diagnosisChecks)[number];

/** `attention`: it may be the reason, or will become one. `unknown`: it cannot be told, and the words say why. */
export type DiagnosisVerdict = 'ok' | 'attention' | 'fault' | 'unknown';

/** Everything that can be found: of which check, and how it is judged. The window has a sentence for each. */
export const diagnosisFindings = {
  bridge_runs: ['bridge', 'ok'],
  bridge_starting: ['bridge', 'attention'],
  bridge_first_start: ['bridge', 'attention'],
  bridge_stopped: ['bridge', 'fault'],
  bridge_failed: ['bridge', 'fault'],

  settings_used: ['settings', 'ok'],
  settings_left_out: ['settings', 'attention'],

  money_clear: ['money', 'ok'],
  money_in_doubt: ['money', 'fault'],
  money_held: ['money', 'fault'],
  money_held_elsewhere: ['money', 'fault'],
  money_discrepancy: ['money', 'attention'],
  money_unknown: ['money', 'unknown'],

  address_simulator: ['address', 'ok'],
  address_none: ['address', 'fault'],
  cable_seen: ['address', 'ok'],
  cable_moved: ['address', 'ok'],
  cable_swapped: ['address', 'fault'],
  cable_missing: ['address', 'fault'],
  cable_elsewhere: ['address', 'fault'],
  cable_unknown: ['address', 'unknown'],
  host_reached: ['address', 'ok'],
  host_silent: ['address', 'fault'],
  host_name_unknown: ['address', 'fault'],
  host_untried: ['address', 'unknown'],

  port_ours: ['port', 'ok'],
  port_free: ['port', 'ok'],
  port_held: ['port', 'fault'],
  port_taken: ['port', 'fault'],
  port_service: ['port', 'fault'],
  port_unknown: ['port', 'unknown'],

  permission_given: ['permission', 'ok'],
  permission_group: ['permission', 'fault'],
  permission_new_group: ['permission', 'fault'],
  permission_denied: ['permission', 'fault'],
  permission_local_network: ['permission', 'attention'],

  terminal_heard: ['answers', 'ok'],
  terminal_silent: ['answers', 'fault'],
  line_lost: ['answers', 'fault'],
  line_opening: ['answers', 'attention'],
  answers_later: ['answers', 'unknown'],

  registered: ['registered', 'ok'],
  registering: ['registered', 'attention'],
  registration_refused: ['registered', 'fault'],
  registered_later: ['registered', 'unknown'],

  terminal_ready: ['ready', 'ok'],
  terminal_works: ['ready', 'ok'],
  terminal_needs: ['ready', 'fault'],
  terminal_recovering: ['ready', 'attention'],
  ready_later: ['ready', 'unknown'],

  record_shown: ['record', 'ok'],
  record_none: ['record', 'ok'],
  record_unavailable: ['record', 'attention'],
  record_later: ['record', 'unknown'],

  listener_on: ['listener', 'ok'],
  listener_off: ['listener', 'fault'],
  listener_changing: ['listener', 'attention'],
  listener_port_held: ['listener', 'fault'],
  listener_port_taken: ['listener', 'fault'],
  listener_port_tillbridge: ['listener', 'fault'],
  listener_port_user: ['listener', 'fault'],
  listener_failed: ['listener', 'fault'],
  listener_later: ['listener', 'unknown'],

  pos_called: ['pos', 'ok'],
  pos_refused: ['pos', 'attention'],
  pos_no_http: ['pos', 'attention'],
  pos_never: ['pos', 'attention'],
  pos_later: ['pos', 'unknown'],

  origin_clear: ['origin', 'ok'],
  origin_refused: ['origin', 'attention'],

  token_none: ['token', 'ok'],
  token_used: ['token', 'ok'],
  token_refused: ['token', 'attention'],
  token_damaged: ['token', 'fault'],

  journal_written: ['journal', 'ok'],
  journal_not_written: ['journal', 'fault'],
  journal_damaged: ['journal', 'fault'],
  journal_later: ['journal', 'unknown'],

  disk_free: ['disk', 'ok'],
  disk_low: ['disk', 'attention'],
  disk_full: ['disk', 'fault'],
  disk_read_only: ['disk', 'fault'],
  disk_unknown: ['disk', 'unknown'],

  clock_agrees: ['clock', 'ok'],
  clock_differs: ['clock', 'attention'],
  clock_unknown: ['clock', 'unknown'],

  office_has_all: ['office', 'ok'],
  office_sending: ['office', 'ok'],
  office_trouble: ['office', 'attention'],
} as const satisfies Record<string, readonly [DiagnosisCheck, DiagnosisVerdict]>;
export type DiagnosisFindingName = keyof typeof diagnosisFindings;
const findingNames = Object.keys(diagnosisFindings) as [DiagnosisFindingName, ...DiagnosisFindingName[]];

const findingSchema = z.object({
  finding: z.enum(findingNames),
  /** What its sentence names: a port, a program, a number of bytes (`free`, `size`). */
  values: z.record(z.string().max(20), z.union([z.string().max(300), z.number()])),
  /** The bridge's own sentence (English) where it knows more. */
  said: z.string().max(2_000).nullable(),
  /** What to enter in a terminal window of this computer. */
  command: z.string().max(300).nullable(),
  at: z.string().nullable(),
});
export type DiagnosisFinding = z.infer<typeof findingSchema>;

export const maxShownCalls = 20;
const recentCallSchema = z.object({
  at: z.string(),
  path: z.string().max(60),
  caller: z.string().max(200).nullable(),
  address: z.string().max(60).nullable(),
  /** Null: it was answered. */
  code: errorCodeSchema.nullable(),
  count: z.number().int(),
});
export type RecentCallView = z.infer<typeof recentCallSchema>;

export const diagnosisSchema = z.object({
  at: z.string(),
  /** One for each check that there is on this computer and this line, in their order. */
  findings: z.array(findingSchema).max(diagnosisChecks.length),
  /** Who has called lately, newest first. */
  calls: z.array(recentCallSchema).max(maxShownCalls),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
