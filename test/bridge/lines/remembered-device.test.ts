import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeviceMemory } from '../../../src/bridge/lines/device-memory.ts';
import { portOfDevice, type RememberedDevice } from '../../../src/bridge/lines/remembered-device.ts';
import type { SerialPortInfo } from '../../../src/bridge/lines/serial-ports.ts';
import { silentLog } from '../../../src/log/index.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { bridgeSentence } from '../../../src/locales/index.ts';
import { portInfo } from './port-info.ts';

const ftdi = { name: 'FTDI cable', vendorId: '0403', productId: '6001' };
const first = portInfo('/dev/ttyUSB0', { ...ftdi, serialNumber: 'A1', place: '1-1:1.0' });
const other = portInfo('/dev/ttyUSB1', { ...ftdi, serialNumber: 'B2', place: '1-2:1.0' });
const builtIn = portInfo('/dev/ttyS0');

/** What is remembered after the port of the settings was opened with these plugged in. */
function learnt(path: string, ports: SerialPortInfo[]): RememberedDevice {
  const found = portOfDevice(path, null, ports);
  if (found.kind !== 'here' || found.device === null) throw new Error('nothing to remember');
  return found.device;
}
const at = (path: string, port: SerialPortInfo): SerialPortInfo => ({ ...port, path });

describe('the port of a remembered device', () => {
  it('is the one of the settings at first, whatever is there', () => {
    expect(portOfDevice('/dev/ttyUSB0', null, [first, other])).toEqual({
      kind: 'here',
      path: '/dev/ttyUSB0',
      device: { ...ftdi, serialNumber: 'A1', place: '1-1:1.0', hasTwin: false },
    });
    const nothing = { kind: 'here', device: null };
    expect(portOfDevice('/dev/ttyS0', null, [builtIn])).toEqual({ ...nothing, path: '/dev/ttyS0' });
    expect(portOfDevice('/dev/ttyUSB7', null, [first])).toEqual({ ...nothing, path: '/dev/ttyUSB7' });
  });

  it('is wherever the device is now, also at the name of another one', () => {
    const remembered = learnt('/dev/ttyUSB0', [first]);
    const found = portOfDevice('/dev/ttyUSB0', remembered, [at('/dev/ttyUSB3', first)]);
    expect(found).toMatchObject({ kind: 'moved', path: '/dev/ttyUSB3' });
    // The system has named both the other way round.
    const swapped = [at('/dev/ttyUSB1', first), at('/dev/ttyUSB0', other)];
    expect(portOfDevice('/dev/ttyUSB0', remembered, swapped)).toMatchObject({
      kind: 'moved',
      path: '/dev/ttyUSB1',
    });
  });

  it('remembers the new socket of a device that has been plugged in elsewhere', () => {
    const remembered = learnt('/dev/ttyUSB0', [first]);
    const found = portOfDevice('/dev/ttyUSB0', remembered, [{ ...first, place: '3-1:1.0' }]);
    expect(found).toMatchObject({ kind: 'here', device: { ...remembered, place: '3-1:1.0' } });
  });

  it('is none when another device has the name, with a sentence that says what to do', () => {
    const remembered = learnt('/dev/ttyUSB0', [first]);
    expect(portOfDevice('/dev/ttyUSB0', remembered, [at('/dev/ttyUSB0', other)])).toEqual({
      kind: 'unsure',
      reason:
        'another device is at /dev/ttyUSB0 now (FTDI cable, usb:0403:6001:B2) than the terminal’s (FTDI cable, usb:0403:6001:A1); if it is meant, accept it in the settings or with "tillbridge ports --accept"',
    });
    const ofBar = portOfDevice('/dev/ttyUSB0', remembered, [at('/dev/ttyUSB0', other)], 'bar');
    const reason = ofBar.kind === 'unsure' ? ofBar.reason : '';
    expect(reason).toMatch(/ or with "tillbridge ports --accept --for bar"$/);
    expect(bridgeSentence(reason, 'de')).toMatch(/ oder mit „tillbridge ports --accept --for bar“$/);
    const noUsb = portOfDevice('/dev/ttyUSB0', remembered, [portInfo('/dev/ttyUSB0')]);
    expect(noUsb).toMatchObject({ kind: 'unsure' });
    // In no list, but there: it is not the device that was listed.
    expect(portOfDevice('/dev/null', remembered, [])).toMatchObject({ kind: 'unsure' });
  });

  it('is the name of the settings while the device is away, so that opening it says so', () => {
    const remembered = learnt('/dev/ttyUSB0', [first]);
    expect(portOfDevice('/dev/no-such-port', remembered, [other])).toEqual({
      kind: 'here',
      path: '/dev/no-such-port',
      device: remembered,
    });
  });

  describe('of two adapters that are alike', () => {
    const left = { ...first, serialNumber: null };
    const right = { ...other, serialNumber: null };

    it('goes by the socket', () => {
      const remembered = learnt('/dev/ttyUSB0', [left, right]);
      expect(remembered.hasTwin).toBe(true);
      const swapped = [at('/dev/ttyUSB1', left), at('/dev/ttyUSB0', right)];
      expect(portOfDevice('/dev/ttyUSB0', remembered, swapped)).toMatchObject({
        kind: 'moved',
        path: '/dev/ttyUSB1',
      });
    });

    it('is not taken for one without a serial number that was pulled out, also where it came later', () => {
      const alone = learnt('/dev/ttyUSB0', [left]);
      expect(alone.hasTwin).toBe(false);
      expect(portOfDevice('/dev/ttyUSB0', alone, [at('/dev/ttyUSB1', right)]).kind).toBe('unsure');
      expect(portOfDevice('/dev/ttyUSB0', alone, [at('/dev/ttyUSB1', left)])).toMatchObject({
        kind: 'moved',
      });
    });

    it('is not guessed, and a twin is not taken for one that was pulled out', () => {
      const remembered = learnt('/dev/ttyUSB0', [left, right]);
      expect(portOfDevice('/dev/ttyUSB0', remembered, [at('/dev/ttyUSB0', right)])).toMatchObject({
        kind: 'unsure',
      });
      const elsewhere = [{ ...left, place: '3-1:1.0' }, right];
      expect(portOfDevice('/dev/ttyUSB0', remembered, elsewhere)).toEqual({
        kind: 'unsure',
        reason:
          'it cannot be told whether the terminal is at /dev/ttyUSB0, /dev/ttyUSB1: there are several devices like it (FTDI cable, usb:0403:6001); choose the right port in the settings, or accept the one at /dev/ttyUSB0 there or with "tillbridge ports --accept"',
      });
    });

    it('is known as a twin from the day on which the other one comes', () => {
      const alone = learnt('/dev/ttyUSB0', [left]);
      expect(alone.hasTwin).toBe(false);
      // Nobody has seen another one: it was plugged in elsewhere.
      expect(portOfDevice('/dev/ttyUSB0', alone, [{ ...left, place: '3-1:1.0' }]).kind).toBe('here');
      const both = portOfDevice('/dev/ttyUSB0', alone, [left, right]);
      expect(both).toMatchObject({ kind: 'here', device: { hasTwin: true } });
    });

    it('stays with its name where the system knows no sockets', () => {
      const [one, two] = [
        portInfo('COM3', { ...ftdi, serialNumber: '0001' }),
        portInfo('COM4', { ...ftdi, serialNumber: '0001' }),
      ];
      const remembered = learnt('COM3', [one, two]);
      expect(portOfDevice('com3', remembered, [one, two])).toMatchObject({ kind: 'here', path: 'com3' });
      expect(portOfDevice('COM3', remembered, [two]).kind).toBe('unsure');
    });
  });

  it('tells the ports of one device apart', () => {
    const ports = [first, { ...first, path: '/dev/ttyUSB1', place: '1-1:1.1' }];
    const remembered = learnt('/dev/ttyUSB1', ports);
    expect(remembered.hasTwin).toBe(false);
    const moved = ports.map((port) => ({ ...port, path: port.path.replace('USB', 'USB1') }));
    expect(portOfDevice('/dev/ttyUSB1', remembered, moved)).toMatchObject({
      kind: 'moved',
      path: '/dev/ttyUSB11',
    });
  });
});

describe('the memory of a device', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-device-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const device = learnt('/dev/ttyUSB0', [first]);

  it('knows one port, over a restart, until it is to forget it', () => {
    const file = join(folder, 'device.json');
    const memory = createDeviceMemory(file, silentLog);
    expect(memory.recall('/dev/ttyUSB0')).toBeNull();
    memory.remember('/dev/ttyUSB0', device);
    const again = createDeviceMemory(file, silentLog);
    expect(again.recall('/dev/ttyUSB0')).toEqual(device);
    expect(again.recall('/dev/ttyUSB1')).toBeNull();
    again.forget();
    again.forget();
    expect(memory.recall('/dev/ttyUSB0')).toBeNull();
  });

  it('takes a file that it cannot read, or a link in its place, for none, and says so', () => {
    const file = join(folder, 'device.json');
    const lines: string[] = [];
    const log = createNotingLog((level, message) => lines.push(`${level} ${message}`));
    for (const text of ['{"port": 1}', '{"port": ', '']) {
      writeFileSync(file, text);
      expect(createDeviceMemory(file, log).recall('/dev/ttyUSB0')).toBeNull();
    }
    rmSync(file);
    writeFileSync(join(folder, 'else'), JSON.stringify({ port: '/dev/ttyUSB0', device }));
    symlinkSync(join(folder, 'else'), file);
    expect(createDeviceMemory(file, log).recall('/dev/ttyUSB0')).toBeNull();
    expect(lines).toHaveLength(4);
    createDeviceMemory(file, log).remember('/dev/ttyUSB1', device);
    expect(JSON.parse(readFileSync(join(folder, 'else'), 'utf8'))).toMatchObject({ port: '/dev/ttyUSB0' });
  });
});
