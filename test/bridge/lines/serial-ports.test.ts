import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  listLinuxSerialPorts,
  listSerialPorts,
  findUsbPort,
  formatUsbPath,
  parseUsbPath,
} from '../../../src/bridge/lines/serial-ports.ts';
import { portInfo } from './port-info.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tillbridge-ports-'));
  for (const folder of ['tty', 'dev', 'devices']) mkdirSync(join(root, folder));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const list = () => listLinuxSerialPorts({ ttys: join(root, 'tty'), devices: join(root, 'dev') });

function put(path: string, files: Record<string, string>): void {
  mkdirSync(join(root, path), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, path, name), `${text}\n`);
}

/** A tty as the kernel shows it: a folder whose `device` leads into the tree of devices. */
function putTty(name: string, device: string | null, files: Record<string, string> = {}): void {
  put(`tty/${name}`, files);
  if (device !== null) {
    mkdirSync(join(root, 'devices', device), { recursive: true });
    symlinkSync(join(root, 'devices', device), join(root, 'tty', name, 'device'));
  }
  put('dev', { [name]: '' });
}

describe('listLinuxSerialPorts', () => {
  it('knows USB devices by vendor, product and serial number, and leaves out what is no port', () => {
    put('devices/usb1/1-1', {
      idVendor: '0403',
      idProduct: '6001',
      serial: 'A50285BI',
      manufacturer: 'FTDI',
      product: 'FT232R USB UART',
    });
    put('devices/usb1/1-2', { idVendor: '0B00', idProduct: '0071' });
    putTty('ttyUSB10', 'usb1/1-1/1-1:1.0/ttyUSB10');
    putTty('ttyUSB9', 'usb1/1-1/1-1:1.0/ttyUSB9');
    putTty('ttyACM0', 'usb1/1-2/1-2:1.0');
    putTty('ttyS0', 'pnp/00:01', { type: '4' });
    putTty('ttyS1', 'platform/serial8250', { type: '0' });
    putTty('tty1', null);
    putTty('ttyUSB3', 'usb1/1-1/1-1:1.0/ttyUSB3');
    rmSync(join(root, 'dev', 'ttyUSB3'));
    put('dev', { ttyUSB7: '', random: '' });
    const ftdi = {
      name: 'FTDI FT232R USB UART',
      maker: 'FTDI',
      product: 'FT232R USB UART',
      vendorId: '0403',
      productId: '6001',
      serialNumber: 'A50285BI',
      place: '1-1:1.0',
    };
    const path = (name: string) => join(root, 'dev', name);
    expect(list()).toEqual([
      portInfo(path('ttyACM0'), { vendorId: '0b00', productId: '0071', place: '1-2:1.0' }),
      portInfo(path('ttyS0')),
      portInfo(path('ttyUSB7')),
      portInfo(path('ttyUSB9'), ftdi),
      portInfo(path('ttyUSB10'), ftdi),
    ]);
  });

  it('is empty where there is nothing to read', () => {
    rmSync(root, { recursive: true });
    expect(list()).toEqual([]);
  });

  it('works on this system', async () => {
    await expect(listSerialPorts()).resolves.toBeInstanceOf(Array);
  });
});

describe('usb paths', () => {
  it.each([
    ['usb:0403:6001', { vendorId: '0403', productId: '6001', serialNumber: null }],
    ['usb:0B00:00aF:A 1:2', { vendorId: '0b00', productId: '00af', serialNumber: 'A 1:2' }],
    ['USB:0403:6001', { vendorId: '0403', productId: '6001', serialNumber: null }],
    ['usb:403:6001', null],
    ['usb:0403', null],
    ['usb:0403:6001:', null],
    ['/dev/ttyUSB0', null],
    ['COM3', null],
  ])('%s', (path, expected) => {
    expect(parseUsbPath(path)).toEqual(expected);
    expect(expected && parseUsbPath(formatUsbPath(expected))).toEqual(expected);
  });

  it('takes a serial number without regard to case, and never guesses between two', () => {
    const port = portInfo('COM3', { vendorId: '0403', productId: '6001', serialNumber: 'a1' });
    const usb = { vendorId: '0403', productId: '6001', serialNumber: 'A1' };
    expect(findUsbPort(usb, [port, { ...port, path: 'COM4', serialNumber: 'a2' }])).toEqual({
      ok: true,
      port,
    });
    expect(findUsbPort({ ...usb, serialNumber: null }, [port, { ...port, path: 'COM4' }]).ok).toBe(false);
    expect(findUsbPort(usb, [{ ...port, productId: '6002' }]).ok).toBe(false);
  });
});
