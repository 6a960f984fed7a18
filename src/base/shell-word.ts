/**
 * `text` as one word of a command that a person types: in quotes where a shell would split or change it (on Windows cmd.exe,
 * PowerShell or Git's).
 */
export function shellWord(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  // A backslash before the quote would make it a part of the word.
  if (process.platform === 'win32') return `"${text.replace(/\\+$/, '$&$&')}"`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
