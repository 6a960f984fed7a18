/**
 * What a large card says, for those who hear the page. A screen reader notices a change of what it watches, not
 * something new that brings its own watch; so this one place stays while the card becomes another.
 */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';

type Say = (text: string) => void;
const SayContext = createContext<Say>(() => {});

/** The place, and around whatever says something there. */
export function Said({ children }: { children: ReactNode }) {
  const [text, say] = useState('');
  return (
    <SayContext value={say}>
      {children}
      <p className="visually-hidden" role="status">
        {text}
      </p>
    </SayContext>
  );
}

/** Says these sentences, once for as long as they stay the same. Where one ends without a stop, it gets one. */
export function useSaid(sentences: readonly (string | null | false)[]): void {
  const say = useContext(SayContext);
  const text = sentences
    .filter((sentence) => typeof sentence === 'string' && sentence !== '')
    .map((sentence) => (/[.…!?]$/.test(String(sentence)) ? sentence : `${String(sentence)}.`))
    .join(' ');
  useEffect(() => {
    say(text);
    // What comes next in the same moment says its own.
    return () => say('');
  }, [say, text]);
}
