/** What a step of the story says. */
import {
  Ban,
  BookText,
  CircleCheck,
  CircleDot,
  CircleHelp,
  CircleX,
  CreditCard,
  KeyRound,
  MonitorSmartphone,
  Network,
  Receipt,
  RefreshCw,
  Scale,
  Send,
  Store,
  UserCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineEntry } from '../../../contract/console/index.ts';
import type { JournalEventOf } from '../../../contract/journal-events.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { DiscrepancyText } from '../../components/event-text.tsx';
import { useFormats } from '../../messages/formats.ts';
import { acknowledgedText, controlText, fieldValue, frameName } from '../../messages/frame.ts';
import { eventMessage, recordMessage } from '../../messages/journal-event.ts';
import type { Acknowledgement, FrameEntry } from './timeline-acknowledgements.ts';
import { eventIn, type StoryStep } from './timeline-places.ts';

export function StepText({
  step,
  titleId,
  acknowledgements,
  simulated,
}: {
  step: StoryStep;
  titleId: string;
  acknowledgements: Map<FrameEntry, Acknowledgement>;
  simulated: boolean;
}): ReactNode {
  const words = useStepWords(step, acknowledgements, simulated);
  if (step.lead.kind === 'discrepancy') return <DiscrepancyText entry={step.lead} titleId={titleId} />;
  return (
    <div>
      <p className="entry-title" id={titleId}>
        {words.title}
      </p>
      {words.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {words.quotes.map((quote) => (
        <p key={quote} className="calm">
          <BridgeText text={quote} />
        </p>
      ))}
    </div>
  );
}

interface StepWords {
  title: string;
  lines: string[];
  /** The bridge's own sentences. */
  quotes: string[];
}

function useStepWords(
  step: StoryStep,
  acknowledgements: Map<FrameEntry, Acknowledgement>,
  simulated: boolean,
): StepWords {
  const { t } = useTranslation();
  const formats = useFormats();
  const { kind, lead } = step;
  const only = (title: string, ...lines: string[]): StepWords => ({ title, lines, quotes: [] });
  const event = eventIn(step);

  switch (kind) {
    case 'asked':
      return only(askedTitle());
    case 'sent':
      return sentWords();
    case 'status':
      return statusWords();
    case 'result':
      return resultWords();
    case 'result_not_recorded':
      return only(t('timeline.step.resultOnLine'), ...codeOf('result'), t('timeline.step.notInJournal'));
    case 'receipt':
      return only(t('timeline.step.receipt'));
    case 'cancel_sent':
      return only(t('timeline.step.cancelSent'), ...acknowledgedLine());
    case 'checking':
      return only(t('timeline.step.checking'), checkedWith());
    case 'aborted':
      return only(t('timeline.step.aborted'), ...codeOf('result'));
    case 'refused_by_terminal':
      return only(t('timeline.step.refusedByTerminal'), ...codeOf('result'));
    case 'pos_told':
    case 'pos_answered':
    case 'pos_refused':
      return lead.kind === 'pos' ? posWords(lead) : only('');
    case 'event':
    case 'ended':
      return event === null ? only('') : withoutRecords(eventMessage(event, t, formats));
    case 'discrepancy':
    case 'other':
      return only(otherTitle());
  }

  function askedTitle(): string {
    if (event?.type === 'operation_started' && event.kind !== 'batch_close') {
      const amount = formats.money(event.amountMinor, event.currency);
      const fromPos = step.entries.some((entry) => entry.kind === 'pos_request');
      return t(`timeline.step.${event.kind === 'sale' ? 'sale' : 'void'}${fromPos ? 'Asked' : 'Begun'}`, {
        amount,
      });
    }
    if (lead.kind === 'pos_request') {
      return lead.command === 'CancelPayment'
        ? t('timeline.step.cancelAsked')
        : t('timeline.posCalled', { command: lead.command });
    }
    return event === null ? '' : eventMessage(event, t, formats).title;
  }

  function sentWords(): StepWords {
    const acknowledged = lead.kind === 'frame' && acknowledgements.has(lead);
    return acknowledged
      ? only(t('timeline.step.accepted'), ...acknowledgedLine())
      : only(t('timeline.step.sent'), t('timeline.notAcknowledged'));
  }

  function acknowledgedLine(): string[] {
    const found = lead.kind === 'frame' ? acknowledgements.get(lead) : undefined;
    return [
      found === undefined ? t('timeline.notAcknowledged') : acknowledgedText(found.afterMs, t, formats),
    ];
  }

  function statusWords(): StepWords {
    if (lead.kind !== 'frame') return only('');
    const status = lead.fields.find(([name]) => name === 'status');
    const said =
      status === undefined ? '' : fieldValue(status, lead.fields, formats).replace(/^[^\s:]{1,5}: /, '');
    const display = lead.fields.flatMap(([name, value]) => (name === 'display' ? [value.trim()] : []));
    const own = display.filter((line) => line !== '').join(' ');
    const shown = simulated ? formats.sentence(own) : own;
    const title = said === '' ? frameName(lead.name, formats) : said;
    return shown === '' || shown === said
      ? only(title)
      : only(title, t('timeline.onDisplay', { text: shown }));
  }

  function resultWords(): StepWords {
    if (event?.type === 'result_received') {
      const title = event.late
        ? t('timeline.event.resultReceivedLate')
        : t(event.result.approved ? 'timeline.step.resultApproved' : 'timeline.step.resultNotApproved');
      return only(title, recordMessage(event.result, t, formats));
    }
    return only(t('timeline.step.resultOnLine'), ...codeOf('result'));
  }

  function posWords({ httpStatus, durationMs, command }: Extract<TimelineEntry, { kind: 'pos' }>): StepWords {
    const title =
      kind === 'pos_told'
        ? t('timeline.step.posTold')
        : kind === 'pos_answered'
          ? t('timeline.step.posAnswered')
          : t('timeline.posRefused', { command });
    return only(
      title,
      t('timeline.step.posDetails', { command, status: httpStatus, duration: formats.duration(durationMs) }),
    );
  }

  /** The commands, each once. */
  function checkedWith(): string {
    const names = step.entries.flatMap((entry) =>
      entry.kind === 'frame' && entry.direction === 'to_terminal' && entry.name !== 'positive-ack'
        ? [frameName(entry.name, formats)]
        : [],
    );
    return [...new Set(names)].join(' · ');
  }

  function codeOf(name: string): string[] {
    if (lead.kind !== 'frame') return [];
    const field = lead.fields.find(([each]) => each === name);
    return field === undefined ? [] : [fieldValue(field, lead.fields, formats)];
  }

  function otherTitle(): string {
    if (lead.kind === 'frame')
      return `${t(lead.direction === 'to_terminal' ? 'timeline.toTerminal' : 'timeline.fromTerminal')}: ${frameName(lead.name, formats)} ${controlText(lead.control, lead.protocol)}`;
    if (lead.kind === 'log') return formats.sentence(lead.line.message);
    return lead.kind === 'pos_request' ? t('timeline.posCalled', { command: lead.command }) : '';
  }

  /** The record of an end was told with the result; it is one click away, as are the rules that were applied. */
  function withoutRecords({ title, lines, quotes }: StepWords): StepWords {
    if (event?.type !== 'operation_ended') return { title, lines, quotes };
    const { resolvedBy } = event;
    if (resolvedBy === null) return { title, lines: [], quotes: quotes.slice(0, 1) };
    // Who and why, and what that person stated of the terminal.
    return { title, lines: lines.slice(0, resolvedBy.terminalUnreachable === true ? 2 : 1), quotes: [] };
  }
}

const outcomeIcons: Record<JournalEventOf<'operation_ended'>['outcome'], 'good' | 'bad' | 'warn' | 'calm'> = {
  approved: 'good',
  voided: 'good',
  closed: 'good',
  declined: 'bad',
  not_voided: 'bad',
  not_closed: 'bad',
  failed: 'bad',
  cancelled: 'calm',
};

export function StepIcon({ step }: { step: StoryStep }): ReactNode {
  const { kind, lead } = step;
  const event = eventIn(step);
  switch (kind) {
    case 'asked':
    case 'pos_told':
    case 'pos_answered':
      return <Store className="tone-busy" aria-hidden="true" />;
    case 'pos_refused':
      return <Store className="tone-bad" aria-hidden="true" />;
    case 'sent':
    case 'cancel_sent':
      return <Send className="tone-busy" aria-hidden="true" />;
    case 'status':
      return statusIcon(lead);
    case 'result':
    case 'result_not_recorded':
      return <CircleDot className="tone-busy" aria-hidden="true" />;
    case 'receipt':
      return <Receipt className="tone-calm" aria-hidden="true" />;
    case 'checking':
      return <RefreshCw className="tone-warn" aria-hidden="true" />;
    case 'aborted':
    case 'refused_by_terminal':
      return <Ban className="tone-bad" aria-hidden="true" />;
    case 'discrepancy':
      return <Scale className="tone-warn" aria-hidden="true" />;
    case 'ended':
      return event?.type === 'operation_ended' ? endIcon(event) : null;
    case 'event':
      return event?.type === 'operation_in_doubt' ? (
        <CircleHelp className="tone-warn" aria-hidden="true" />
      ) : (
        <BookText className="tone-calm" aria-hidden="true" />
      );
    case 'other':
      return <CircleDot className="tone-calm" aria-hidden="true" />;
  }
}

function endIcon({ outcome, resolvedBy }: JournalEventOf<'operation_ended'>): ReactNode {
  const tone = `tone-${outcomeIcons[outcome]}`;
  if (resolvedBy !== null) return <UserCheck className={tone} aria-hidden="true" />;
  const Icon = outcomeIcons[outcome] === 'good' ? CircleCheck : CircleX;
  return <Icon className={tone} aria-hidden="true" />;
}

/** What the customer, or the terminal, is busy with. */
const iconOfStatus: Readonly<Record<string, typeof CreditCard>> = {
  '0A': CreditCard,
  '0B': CreditCard,
  '0C': CreditCard,
  '4B': CreditCard,
  '68': CreditCard,
  '01': KeyRound,
  '02': KeyRound,
  '15': KeyRound,
  '55': KeyRound,
  '04': Network,
  D2: Network,
  D3: Network,
};

function statusIcon(lead: TimelineEntry): ReactNode {
  const status = lead.kind === 'frame' ? lead.fields.find(([name]) => name === 'status')?.[1] : undefined;
  const Icon = iconOfStatus[status?.slice(0, 2) ?? ''] ?? MonitorSmartphone;
  return <Icon className="tone-busy" aria-hidden="true" />;
}
