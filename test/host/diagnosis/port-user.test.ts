/** Whose process listens on a port: as Windows and macOS print it, in several of their versions. */
import { describe, expect, test } from 'vitest';
import {
  userOfPortOnMac,
  userOfPortOnWindows,
  type RunProgram,
} from '../../../src/host/diagnosis/port-user.ts';

const root = String.raw`C:\Windows`;

const netstat = `
Active Connections

  Proto  Local Address          Foreign Address        State           PID
  TCP    0.0.0.0:135            0.0.0.0:0              LISTENING       1012
  TCP    127.0.0.1:8080         127.0.0.1:52011        ESTABLISHED     777
  TCP    127.0.0.1:8080         0.0.0.0:0              LISTENING       4321
  TCP    127.0.0.1:18080        0.0.0.0:0              LISTENING       5555
`.replaceAll('\n', '\r\n');
const germanNetstat = netstat.replaceAll('LISTENING  ', 'ABHÖREN    ').replace('ESTABLISHED', 'HERGESTELLT');
const sessions = [
  ' USERNAME              SESSIONNAME        ID  STATE   IDLE TIME  LOGON TIME',
  '>anna                  console             1  Active      none   11/22/2026 8:01 AM',
  ' kasse 2                                   2  Disc           12  11/22/2026 7:55 AM',
  ' chef                  rdp-tcp#5           3  Active          .  11/22/2026 9:10 AM',
].join('\r\n');
const task = (owner: string, session = 2) =>
  `\r\n"Tillbridge.exe","4321","Console","${session}","85,120 K","Unknown","${owner}","0:00:05","N/A"\r\n`;

function computer(outputs: Record<string, string>) {
  const calls: string[] = [];
  const run: RunProgram = (file, args) => {
    calls.push([file, ...args].join(' '));
    const output = outputs[file.split(/[\\/]/).at(-1) ?? ''];
    return output === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(output);
  };
  return { calls, run };
}

describe('Windows', () => {
  test('names the owner of the process', async () => {
    const { calls, run } = computer({
      'netstat.exe': netstat,
      'tasklist.exe': task(String.raw`SHOP-1\anna`),
    });
    expect(await userOfPortOnWindows(8080, root, run)).toBe('anna');
    expect(calls).toEqual([
      String.raw`C:\Windows\System32\netstat.exe -ano -p TCP`,
      String.raw`C:\Windows\System32\tasklist.exe /FI PID eq 4321 /V /FO CSV /NH`,
    ]);
  });

  test.each([
    ['N/A', 2, 'kasse 2'],
    ['Nicht zutreffend', 3, 'chef'],
    ['N/A', 1, 'anna'],
    ['N/A', 7, null],
  ])("finds another user's by the session: %s, %i", async (owner, session, user) => {
    const { run } = computer({
      'netstat.exe': germanNetstat,
      'tasklist.exe': task(owner, session),
      'quser.exe': sessions,
    });
    expect(await userOfPortOnWindows(8080, root, run)).toBe(user);
  });

  test('tells nobody where the session cannot be asked, nobody listens, or the name is not readable', async () => {
    const { run } = computer({ 'netstat.exe': netstat, 'tasklist.exe': task('N/A') });
    expect(await userOfPortOnWindows(8080, root, run)).toBeNull();
    expect(await userOfPortOnWindows(80, root, run)).toBeNull();
    const broken = computer({ 'netstat.exe': netstat, 'tasklist.exe': task('SHOP\\J\uFFFDrg') });
    expect(await userOfPortOnWindows(8080, root, broken.run)).toBeNull();
  });
});

const tail = '00000 00000006 0000000000010cb7 00000000 00000900      1      0 000000';
const before = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)`;
const macs: [string, string][] = [
  [
    'macOS 13',
    `${before}      rhiwat  shiwat    pid   epid state  options           gencnt    flags   flags1 usscnt rtncnt fltrs
tcp4       0      0  127.0.0.1.8080         127.0.0.1.64809        ESTABLISHED  131072  131072  90000      0 ${tail}
tcp4       0      0  127.0.0.1.8080         *.*                    LISTEN       131072  131072  43379      0 ${tail}
tcp6       0      0  ::1.8080               *.*                    LISTEN       131072  131072  43379      0 ${tail}`,
  ],
  [
    'macOS 15',
    `${before}          rxbytes      txbytes  rhiwat  shiwat    pid   epid state  options           gencnt    flags   flags1 usecnt rtncnt fltrs
tcp4       0      0  127.0.0.1.18080        *.*                    LISTEN                 0            0 1048576 1048576    501      0 ${tail}
tcp46      0      0  *.8080                 *.*                    LISTEN                 0            0 1048576 1048576  43379    888 ${tail}`,
  ],
  [
    'macOS 26',
    `${before}          rxbytes      txbytes  rhiwat  shiwat          process:pid    state  options           gencnt    flags   flags1 usecnt rtncnt fltrs
tcp4       0      0  127.0.0.1.5173         *.*                    LISTEN                 0            0  131072  131072             node:13942  ${tail}
tcp4       0      0  127.0.0.1.8080         *.*                    LISTEN                 0            0  131072  131072 Tillbridge Helpe:43379  ${tail}`,
  ],
];

describe('macOS', () => {
  test.each(macs)('names the owner of the process: %s', async (_version, table) => {
    const { calls, run } = computer({ netstat: table, ps: 'anna\n' });
    expect(await userOfPortOnMac(8080, run)).toBe('anna');
    expect(calls).toEqual(['/usr/sbin/netstat -anv -p tcp', '/bin/ps -o user= -p 43379']);
    expect(await userOfPortOnMac(8081, run)).toBeNull();
  });
});
