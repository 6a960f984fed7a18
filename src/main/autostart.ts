/** Starting with the computer: the system's login items, on Linux a file of the desktop's autostart. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** The app then starts without showing its window. */
const hiddenFlag = '--hidden';

/** Whether nobody asked for the window. macOS passes no arguments to login items, and tells it otherwise. */
export function isStartedBySystem(): boolean {
  if (process.argv.includes(hiddenFlag)) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Throws what the file system throws. */
export function startWithSystem(wanted: boolean): void {
  if (process.platform === 'linux') writeAutostartFile(wanted);
  else if (app.getLoginItemSettings({ args: [hiddenFlag] }).openAtLogin !== wanted) {
    app.setLoginItemSettings({ openAtLogin: wanted, args: [hiddenFlag] });
  }
}

/** https://specifications.freedesktop.org/autostart-spec: one `.desktop` file in the user's folder. */
function writeAutostartFile(wanted: boolean): void {
  const file = path.join(app.getPath('appData'), 'autostart', 'tillbridge.desktop');
  if (!wanted) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, autostartFile(commandLine()));
}

/** An AppImage runs from a place that changes with each start; the file itself is named by a variable. */
function commandLine(): [string, ...string[]] {
  const executable = process.env['APPIMAGE'] ?? process.execPath;
  const flags = [...keptFlags(process.argv), hiddenFlag];
  return app.isPackaged ? [executable, ...flags] : [executable, app.getAppPath(), ...flags];
}

/**
 * What this start needs, the next one needs too: an AppImage's desktop entry has it where the system lets programs without
 * a profile make no sandbox.
 */
export function keptFlags(commandLine: readonly string[]): string[] {
  return commandLine.includes('--no-sandbox') ? ['--no-sandbox'] : [];
}

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
