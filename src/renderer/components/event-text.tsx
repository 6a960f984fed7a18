import { useTranslation } from 'react-i18next';
import type { JournalEvent } from '../../contract/journal-events.ts';
import { useFormats } from '../messages/formats.ts';
import {
  discrepancyEntryMessage,
  eventMessage,
  type DiscrepancyEntry,
  type EventMessage,
} from '../messages/journal-event.ts';
import { BridgeText } from './bridge-text.tsx';

/** A journal event: what happened, what is known of it, and the bridge's own sentences. */
export function EventText({ event }: { event: JournalEvent }) {
  const { t } = useTranslation();
  return <Message message={eventMessage(event, t, useFormats())} name={event.type} />;
}

/** The same for what was found or acknowledged of a payment. */
export function DiscrepancyText({
  entry,
  titleId,
}: {
  entry: DiscrepancyEntry;
  titleId?: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <Message
      message={discrepancyEntryMessage(entry, t, useFormats())}
      name={`discrepancy-${entry.step}`}
      titleId={titleId}
    />
  );
}

function Message({
  message: { title, lines, quotes },
  name,
  titleId,
}: {
  message: EventMessage;
  name: string;
  titleId?: string | undefined;
}) {
  return (
    <div className="event-text" data-event={name}>
      <p className="entry-title" id={titleId}>
        {title}
      </p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {quotes.map((quote) => (
        <p key={quote} className="calm">
          <BridgeText text={quote} />
        </p>
      ))}
    </div>
  );
}
