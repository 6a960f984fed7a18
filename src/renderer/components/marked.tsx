/** `text` with every place marked at which `needle` (lower case) stands; null: with none. */
export function Marked({ text, needle }: { text: string; needle: string | null }) {
  if (needle === null || needle === '') return text;
  // A character may have another length in lower case; then the places would be the wrong ones.
  const lower = text.toLowerCase();
  if (lower.length !== text.length || !lower.includes(needle)) return text;
  const pieces: React.ReactNode[] = [];
  let end = 0;
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, end)) {
    pieces.push(text.slice(end, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>);
    end = at + needle.length;
  }
  return <>{[...pieces, text.slice(end)]}</>;
}
