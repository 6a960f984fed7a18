import { Fragment } from 'react';

/** What stands between backticks is a command or a name, in one piece and in letters that show its hyphens. */
export function WithCommands({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const isCommand = index % 2 === 1;
    // A text never changes its parts.
    return isCommand ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>;
  });
}
