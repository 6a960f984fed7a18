/** The one set of shapes and colours for states. The shape tells as much as the colour, and words stand beside both. */
import {
  Archive,
  ArrowUpFromLine,
  Ban,
  BookCheck,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  ClipboardCheck,
  CreditCard,
  Hourglass,
  KeyRound,
  Landmark,
  LoaderCircle,
  MonitorSmartphone,
  OctagonAlert,
  ScanLine,
  Search,
  ShieldX,
  TriangleAlert,
  Undo2,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OperationOutcome, TransactionStatus } from '../../contract/operation.ts';
import type { ProgressStep, TerminalConnection } from '../../contract/terminal.ts';
import type { ListenerState } from '../../contract/console/index.ts';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'calm';
export interface Shape {
  icon: LucideIcon;
  tone: Tone;
  turns?: true;
}

const ofStatus: Record<TransactionStatus, Shape> = {
  in_progress: { icon: LoaderCircle, tone: 'busy', turns: true },
  approved: { icon: CircleCheck, tone: 'good' },
  declined: { icon: CircleX, tone: 'bad' },
  cancelled: { icon: Ban, tone: 'calm' },
  failed: { icon: OctagonAlert, tone: 'bad' },
  unknown: { icon: TriangleAlert, tone: 'warn' },
  voiding: { icon: LoaderCircle, tone: 'busy', turns: true },
  voided: { icon: Undo2, tone: 'calm' },
  settled: { icon: Archive, tone: 'good' },
};

const ofOutcome: Record<OperationOutcome, Shape> = {
  approved: ofStatus.approved,
  declined: ofStatus.declined,
  cancelled: ofStatus.cancelled,
  failed: ofStatus.failed,
  voided: ofStatus.voided,
  not_voided: ofStatus.declined,
  closed: ofStatus.settled,
  not_closed: ofStatus.failed,
};

const ofConnection: Record<TerminalConnection, Shape> = {
  stopped: { icon: CirclePause, tone: 'calm' },
  connecting: { icon: LoaderCircle, tone: 'busy', turns: true },
  preparing: { icon: LoaderCircle, tone: 'busy', turns: true },
  ready: { icon: CircleCheck, tone: 'good' },
  operating: { icon: LoaderCircle, tone: 'busy', turns: true },
  recovering: { icon: Search, tone: 'warn' },
  attention: { icon: TriangleAlert, tone: 'warn' },
  lost: { icon: Unplug, tone: 'bad' },
};

const ofListener: Record<ListenerState['kind'], Shape> = {
  on: { icon: CircleCheck, tone: 'good' },
  off: { icon: CirclePause, tone: 'calm' },
  starting: { icon: LoaderCircle, tone: 'busy', turns: true },
  stopping: { icon: LoaderCircle, tone: 'busy', turns: true },
  failed: { icon: OctagonAlert, tone: 'bad' },
};

const ofProgress: Record<ProgressStep, Shape> = {
  confirm_amount: { icon: ClipboardCheck, tone: 'busy' },
  insert_card: { icon: CreditCard, tone: 'busy' },
  remove_card: { icon: ArrowUpFromLine, tone: 'busy' },
  card_unreadable: { icon: ScanLine, tone: 'warn' },
  enter_pin: { icon: KeyRound, tone: 'busy' },
  wrong_pin: { icon: ShieldX, tone: 'warn' },
  waiting_for_host: { icon: Landmark, tone: 'busy' },
  reversing: { icon: Undo2, tone: 'busy' },
  booking: { icon: BookCheck, tone: 'busy' },
  declined: { icon: CircleX, tone: 'bad' },
  approved: { icon: CircleCheck, tone: 'good' },
  reversed: { icon: Undo2, tone: 'calm' },
  please_wait: { icon: Hourglass, tone: 'busy' },
  other: { icon: MonitorSmartphone, tone: 'busy' },
};

export function Mark({ shape, large = false }: { shape: Shape; large?: boolean }) {
  const { icon: Icon, tone, turns } = shape;
  const size = large ? 'mark-large' : '';
  return <Icon className={`mark tone-${tone} ${turns === true ? 'spin' : ''} ${size}`} aria-hidden="true" />;
}

/** A payment's status: shape, colour and word. */
export function PaymentStatus({ status, large = false }: { status: TransactionStatus; large?: boolean }) {
  const { t } = useTranslation();
  return (
    <span
      className={`status tone-${ofStatus[status].tone} ${large ? 'status-large' : ''}`}
      data-status={status}
    >
      <Mark shape={ofStatus[status]} large={large} />
      <span>{t(`status.${status}`)}</span>
    </span>
  );
}

export function outcomeShape(outcome: OperationOutcome): Shape {
  return ofOutcome[outcome];
}

export function connectionShape(connection: TerminalConnection | null): Shape {
  return connection === null ? { icon: CircleDashed, tone: 'calm' } : ofConnection[connection];
}

export function listenerShape(kind: ListenerState['kind']): Shape {
  return ofListener[kind];
}

/** Null: the terminal has not said yet what it is doing. */
export function progressShape(step: ProgressStep | null): Shape {
  return ofProgress[step ?? 'please_wait'];
}

export function statusShape(status: TransactionStatus): Shape {
  return ofStatus[status];
}
