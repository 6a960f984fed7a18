import { describe, expect, it } from 'vitest';
import { openErrorMessage, serialFault } from '../../../src/bridge/lines/serial.ts';

// The words of serialport 13 on each system.
describe('serialFault', () => {
  it.each([
    ['Error: No such file or directory, cannot open /dev/ttyUSB0', 'missing'],
    ['Error: No such device, cannot open /dev/ttyUSB0', 'missing'],
    ['Opening COM7: File not found', 'missing'],
    ['Error: Permission denied, cannot open /dev/ttyUSB0', 'denied'],
    ['Opening COM7: Access denied', 'denied'],
    ['Error Resource temporarily unavailable Cannot lock port', 'in_use'],
    ['Error: Device or resource busy, cannot open /dev/ttyUSB0', 'in_use'],
    ['Error: Resource busy, cannot open /dev/cu.usbmodem1', 'in_use'],
    ['Opening COM7: Unknown error code 1', 'other'],
  ])('%s', (message, fault) => {
    expect(serialFault(new Error(message))).toBe(fault);
  });

  it('says what to do', () => {
    const denied = new Error('Error: Permission denied, cannot open /dev/ttyUSB0');
    expect(openErrorMessage(denied, '/dev/ttyUSB0', 'linux')).toMatch(/group dialout/);
    expect(openErrorMessage(new Error('Opening COM7: Access denied'), 'COM7', 'win32')).toMatch(
      /in use by another program/,
    );
    expect(openErrorMessage(new Error('Opening COM7: Unknown error code 1'), 'COM7', 'win32')).toMatch(
      /Unknown error code 1/,
    );
  });
});
