/**
 * What the head office's page asks, and the command line with it: over HTTP, under `/office/v1`. Both come from the same
 * installation as the office, so that what the office answers has types and is not parsed again.
 */
import { z } from 'zod';

/** What each may do contains what the one before it may. */
export const roles = ['support', 'manager', 'administrator'] as const;
export const roleSchema = z.enum(roles);
export type Role = z.infer<typeof roleSchema>;

export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Who asks. */
export interface SignedIn {
  name: string;
  role: Role;
  /** `key`: the administrator's key. `link`: a link of "tillbridge office link". `provider`: an OpenID provider. */
  by: 'key' | 'link' | 'provider';
}

export interface Session extends SignedIn {
  /** When it ends, whatever happens. */
  endsAt: string;
  officeVersion: string;
}

/** `GET /sign-in`, for whoever is not signed in: which ways there are. */
export interface SignInWays {
  /** There is an OpenID provider; the address `/sign-in` leads to it. */
  provider: boolean;
}

/** `POST /enter`: what stands behind `#link=` in the address. */
export const enterOfficeRequestSchema = z.strictObject({ link: z.string().min(1).max(200) });

const personName = z.string().trim().min(1).max(200);

export const makeLinkRequestSchema = z.strictObject({
  name: personName.default('administrator'),
  role: roleSchema.default('administrator'),
});

export const acknowledgeFindingRequestSchema = z.strictObject({
  /** Not asked of somebody whom the OpenID provider has named. */
  by: personName.optional(),
  reason: z.string().trim().min(1).max(2_000),
});

/** What people are refused with, beside what bridges are (`office.ts`). */
export interface PageRefusal {
  error:
    /** Nobody is signed in, or the session has ended. */
    | 'no_session'
    | 'link_used'
    | 'link_unknown'
    /** The role does not allow it. */
    | 'not_allowed'
    /** It cannot be used, or contradicts another one: a sentence says so. */
    | 'statement_not_kept'
    /** A page of another site asks, or the office is asked under a name that is not its own. */
    | 'origin_not_allowed'
    | 'host_not_allowed';
  message: string;
}

/** A shop in the overview, the worst first. */
export const shopStates = [
  /** The terminal and the till may disagree about a payment. */
  'in_doubt',
  /** A journal does not fit its hashes, was put back, goes on in two places, or cannot be written. */
  'journal_trouble',
  /** What a terminal and its journal say differs. */
  'discrepancy',
  /** A bridge has not been heard for some minutes. */
  'silent',
  /** It is heard, and a terminal cannot take a card, or no till can call: the bridge does not run, or does not listen. */
  'not_ready',
  /** Its version is older than the office's. */
  'old_version',
  'ready',
  /** No bridge has joined yet. */
  'not_joined',
] as const;
export type ShopState = (typeof shopStates)[number];

export interface ShopSummary {
  shopId: string;
  name: string;
  /** A trial: it has simulated terminals only. In other shops those do not count. */
  simulated: boolean;
  state: ShopState;
  /** Since when the state's reason stands; null where nobody knows. */
  since: string | null;
  inDoubt: number;
  discrepancies: number;
  findings: number;
  /** How many bridges of it may send, and their versions. */
  bridges: number;
  versions: string[];
}

/** Trials behind the shops with real terminals; within a state what stands longest. */
export function worstFirst(one: ShopSummary, other: ShopSummary): number {
  const hasJoined = ({ state }: ShopSummary) => state !== 'not_joined';
  if (one.simulated !== other.simulated && hasJoined(one) && hasJoined(other)) return one.simulated ? 1 : -1;
  if (one.state !== other.state) return shopStates.indexOf(one.state) - shopStates.indexOf(other.state);
  if (one.since !== other.since) return (one.since ?? '~') < (other.since ?? '~') ? -1 : 1;
  return one.name.localeCompare(other.name);
}

/** More than a notice names: whoever hears of more asks for all. */
export const maxShopsAtOnce = 200;

/** `GET /overview`. `shops`: only these, by their ids with commas between; left out: all. */
export const overviewQuerySchema = z.strictObject({
  shops: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.uuid()).max(maxShopsAtOnce))
    .optional(),
});

export interface Place {
  shop_id: string;
  shop: string;
  terminal: string;
  simulated: boolean;
}

export interface ShopView {
  shop_id: string;
  name: string;
  bridges: BridgeView[];
}

/** `GET /shops/ID` */
export interface ShopDetails extends ShopView {
  terminals: KnownTerminal[];
}

/** A terminal as its journal last told of it. */
export interface KnownTerminal {
  terminal: string;
  simulated: boolean;
  protocol: string;
  terminal_id: string | null;
  /** Texts, because a newer bridge may know more of them. */
  traits: string[];
}

/** `GET /shops/ID/batches`: the newest first. It names no payment. */
export interface ShopBatch {
  batch_id: string;
  terminal: string;
  simulated: boolean;
  started_at: string;
  /** Null, as is `outcome`: it is being closed, or in doubt. */
  ended_at: string | null;
  outcome: string | null;
  in_doubt: boolean;
  batch_number: string | null;
  /** The terminal's own count and sum; null where it told none. */
  count: number | null;
  total_minor: number | null;
  expected_count: number;
  expected_minor: number;
  currency: string;
  reconciled: boolean | null;
}

export interface BridgeView {
  bridge_id: string;
  shop_id: string;
  computer: string;
  version: string;
  enrolled_at: string;
  revoked_at: string | null;
  /** When it was heard last; null: never since it joined. */
  heard_at: string | null;
  /** How far its clock is ahead of the office's, in milliseconds. */
  clock_ahead_ms: number | null;
  /** As it sent it. */
  heartbeat: unknown;
}

export interface DoubtView extends Place {
  operation_id: string;
  kind: string;
  payment_id: string | null;
  reference: string | null;
  amount_minor: number | null;
  currency: string | null;
  started_at: string;
  doubt_since: string;
  needs_person: boolean;
  reason: string;
}

export interface DiscrepancyRow extends Place {
  discrepancy_id: string;
  kind: string;
  message: string;
  refs: string[];
  amount_minor: number | null;
  currency: string | null;
  found_at: string;
}

export interface FindingView extends Place {
  finding_id: string;
  kind: string;
  message: string;
  found_at: string;
}

export interface OpenItems {
  doubts: DoubtView[];
  discrepancies: DiscrepancyRow[];
  findings: FindingView[];
}

export interface DecisionView extends Place {
  kind: string;
  decided_at: string;
  decided_by: string;
  reason: string;
  outcome: string | null;
  payment_id: string | null;
}

/** The bridges that may send, by their version. */
export interface VersionView {
  version: string;
  bridges: number;
  shops: number;
  /** Heard within the last minutes. */
  heard: number;
  isOld: boolean;
}

export interface FoundPayment extends Place {
  payment_id: string;
  reference: string;
  condition_code: string;
  amount_minor: number;
  taken_minor: number | null;
  currency: string;
  status: string;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  protocol: string;
  terminal_id: string | null;
  receipt_number: string | null;
  trace_number: string | null;
  approval_code: string | null;
  card_digits: string | null;
  card_scheme: string | null;
  reason: string;
  decided_by: string | null;
  batch_number: string | null;
  /** The shop's journal went on otherwise behind an earlier event: it may not know what the office knows of this payment. */
  not_in_journal: boolean;
}

/**
 * Whether a search for payments ends soon: it goes by an index, in a span of time, or to the newest of all. A status, a
 * currency and half of what stands on a receipt have none, and without one of these every day there is would be read.
 */
export function endsSoon(search: {
  reference?: unknown;
  cardDigits?: unknown;
  approvalCode?: unknown;
  receiptNumber?: unknown;
  shopId?: unknown;
  terminalId?: unknown;
  amountMinor?: unknown;
  currency?: unknown;
  status?: unknown;
  from?: unknown;
}): boolean {
  const { reference, cardDigits, approvalCode, receiptNumber, shopId, terminalId, amountMinor } = search;
  const { currency, status, from } = search;
  const isAny = (...values: unknown[]) => values.some((value) => value !== undefined);
  return (
    isAny(reference, shopId, terminalId, amountMinor, from) ||
    (isAny(cardDigits) && isAny(approvalCode)) ||
    !isAny(cardDigits, approvalCode, receiptNumber, currency, status)
  );
}

export interface PaymentPage {
  payments: FoundPayment[];
  /** Null: there are no more. */
  next: string | null;
  /** Days that may hold more of them, and are not in the database any more; the newest first, a hundred at most. */
  archived: string[];
}

export interface TimelineEvent {
  seq: number;
  at: string;
  received_on: string;
  /** False: it is in a part of the journal that the shop has no more. */
  in_journal: boolean;
  event: Record<string, unknown>;
}

export interface PaymentWithTimeline {
  payment: FoundPayment;
  events: TimelineEvent[];
  /** Days on which events of it may have come that are not in the database any more. */
  archived: string[];
}

export const auditActs = [
  'signed_in',
  'signed_out',
  'link_made',
  'searched',
  'payment_read',
  'open_read',
  'alarms_read',
  'decisions_read',
  'audit_read',
  'code_made',
  'bridge_revoked',
  'finding_acknowledged',
  'alarm_tested',
  'day_archived',
  'day_restored',
  'day_deleted',
  'data_deleted',
  'deposits_read',
  'deposit_settled',
  'deposit_unsettled',
  'statement_added',
] as const;
export type AuditAct = (typeof auditActs)[number];

export interface AuditEntry {
  entry: number;
  at: string;
  person: string;
  role: Role;
  /** `command`: by a command that works on the database itself. */
  signed_in_by: SignedIn['by'] | 'command';
  act: AuditAct;
  /** What was asked, or what it was done to, by its names. */
  about: Record<string, unknown>;
}

/** One server-sent event of `GET /changes`. */
export interface OfficeChange {
  /** Of which shops something has changed; null: of any. */
  shops: string[] | null;
}
