/** What serialport's errors mean, in words that say what to do. */

export type SerialFault = 'missing' | 'denied' | 'in_use' | 'other';

/** serialport's errors carry no code, only words of the system (Linux, macOS and Windows, in English). */
export function serialFault(error: Error): SerialFault {
  const text = error.message;
  if (/cannot lock port|resource busy|device or resource busy/i.test(text)) return 'in_use';
  if (/no such file|no such device|file not found/i.test(text)) return 'missing';
  if (/permission denied|access (is )?denied/i.test(text)) return 'denied';
  return 'other';
}

/** Why `path` cannot be opened, for people. */
export function openWords(error: Error, path: string, platform: NodeJS.Platform): string {
  switch (serialFault(error)) {
    case 'in_use':
      return `${path} is in use by another program`;
    case 'missing':
      return `there is no serial port ${path}; is the cable plugged in?`;
    case 'denied':
      return platform === 'win32'
        ? `${path} is in use by another program, or Windows has not let go of it yet`
        : `this user may not open ${path}; on most Linux systems membership in the group dialout allows it`;
    case 'other':
      return `${path} cannot be opened: ${error.message}`;
  }
}
