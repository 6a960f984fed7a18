import { describe, expect, it } from 'vitest';
import {
  formatTerminalAddress,
  terminalAddressSchema,
  terminalAddressTextSchema,
} from '../../src/contract/terminal-address.ts';

describe('the address of a terminal', () => {
  it.each([
    ['simulator', { kind: 'simulator' }],
    ['serial:/dev/ttyUSB0', { kind: 'serial', path: '/dev/ttyUSB0' }],
    ['serial:COM3', { kind: 'serial', path: 'COM3' }],
    ['tcp:192.168.1.20:20007', { kind: 'tcp', host: '192.168.1.20', port: 20_007 }],
    ['tcp:[::1]:1', { kind: 'tcp', host: '::1', port: 1 }],
    ['http:192.168.1.20:18080', { kind: 'http', host: '192.168.1.20', port: 18_080 }],
    ['http:[::1]:1', { kind: 'http', host: '::1', port: 1 }],
  ])('%s is read, and written as it was', (text, address) => {
    const read = terminalAddressSchema.parse(text);
    expect(read).toEqual(address);
    expect(formatTerminalAddress(read)).toBe(text);
    expect(terminalAddressTextSchema.parse(text)).toBe(text);
  });

  it.each([
    '',
    'usb',
    'serial:',
    'tcp:host',
    'tcp:host:0',
    'tcp:host:65536',
    'tcp:::1:20007',
    'http://host:80',
    'http:host',
  ])('"%s" is none, with the same message in the form', (text) => {
    const message = terminalAddressSchema.safeParse(text).error?.issues[0]?.message;
    expect(message).toMatch(/^must be "simulator", /);
    expect(terminalAddressTextSchema.safeParse(text).error?.issues[0]?.message).toBe(message);
  });

  it('need not be chosen yet in the form', () => expect(terminalAddressTextSchema.parse(null)).toBe(null));
});
