/** The text of a Linux autostart entry. */

/** `TryExec`: where the program is gone, the entry means nothing. */
export function autostartFile(command: [string, ...string[]]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tillbridge',
    'Comment=Bridge between point-of-sale software and the card terminal',
    `TryExec=${escaped(command[0])}`,
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ];
  return `${lines.join('\n')}\n`;
}

/** As the value of a key: https://specifications.freedesktop.org/desktop-entry-spec, "Possible value types". */
function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

/** As one argument of `Exec`: quoted where it must be; `%` would begin a field code. */
function quoted(argument: string): string {
  const percent = argument.replaceAll('%', '%%');
  if (/^[\w%./:=@+-]+$/.test(percent)) return percent;
  return escaped(`"${percent.replaceAll(/["`$\\]/g, String.raw`\$&`)}"`);
}
