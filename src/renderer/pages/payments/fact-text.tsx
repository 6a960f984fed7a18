import { useTranslation } from 'react-i18next';
import type { JournalEvent } from '../../../contract/journal-events.ts';
import { useFormats } from '../../words/format.ts';
import { discrepancyEntryWords, factWords, type DiscrepancyEntry, type FactWords } from './fact-words.ts';

/** A fact of the journal: what happened, what is known of it, and the bridge's own words. */
export function FactText({ event }: { event: JournalEvent }) {
  const { t } = useTranslation();
  return <Words words={factWords(event, t, useFormats())} fact={event.type} />;
}

/** The same for what was found or acknowledged of a payment. */
export function DiscrepancyText({ entry }: { entry: DiscrepancyEntry }) {
  const { t } = useTranslation();
  return <Words words={discrepancyEntryWords(entry, t, useFormats())} fact={`discrepancy-${entry.step}`} />;
}

function Words({ words: { title, lines, quotes }, fact }: { words: FactWords; fact: string }) {
  return (
    <div className="fact-text" data-fact={fact}>
      <p className="entry-title">{title}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {quotes.map((quote) => (
        <p key={quote} className="calm" lang="en">
          {quote}
        </p>
      ))}
    </div>
  );
}
