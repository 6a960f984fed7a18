/** Characters at the end that are always seen: by them references differ. */
const endLength = 7;

/** A text of which, where there is little room, the middle is left out. Beginning and end stay. */
export function MiddleCut({ text }: { text: string }) {
  if (text.length <= endLength + 2) return <span className="middle-cut">{text}</span>;
  return (
    <span className="middle-cut">
      <span className="middle-cut-start">{text.slice(0, -endLength)}</span>
      <span className="middle-cut-end">{text.slice(-endLength)}</span>
    </span>
  );
}
