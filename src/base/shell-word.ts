/** `text` as one word of a command that a person types: in quotes where the shell (cmd.exe on Windows) would split it. */
export function shellWord(text: string): string {
  if (process.platform === 'win32') return /^[\w./:\\-]+$/.test(text) ? text : `"${text}"`;
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
