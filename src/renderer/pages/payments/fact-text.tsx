import { useTranslation } from 'react-i18next';
import type { JournalEvent } from '../../../contract/journal-events.ts';
import { useFormats } from '../../words/format.ts';
import { factWords } from './fact-words.ts';

/** A fact of the journal: what happened, what is known of it, and the bridge's own words. */
export function FactText({ event }: { event: JournalEvent }) {
  const { t } = useTranslation();
  const { title, lines, quotes } = factWords(event, t, useFormats());
  return (
    <div className="fact-text" data-fact={event.type}>
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
