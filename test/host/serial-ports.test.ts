import { describe, expect, it } from 'vitest';
import type { DeviceMemory } from '../../src/bridge/lines/index.ts';
import { viewSerialPorts, type TerminalPort } from '../../src/host/serial-ports.ts';
import { portInfo } from '../bridge/lines/port-info.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const terminal = { name: 'VX 820', vendorId: '11ca', productId: '0219' };
const device = { ...terminal, serialNumber: 'A1', place: '1-1:1.0', hasTwin: false };

/** No longer plugged in. */
const gone = { ...device, vendorId: '1a86', serialNumber: 'B7' };

function memoryOf(port: string | null): DeviceMemory {
  return {
    port,
    recall: (asked) => (asked === port ? device : null),
    remember() {},
    forget() {},
  };
}

const ports = [
  portInfo('/dev/ttyS0'),
  portInfo('/dev/ttyUSB0', { name: 'FTDI cable', vendorId: '0403', productId: '6001' }),
  portInfo('/dev/ttyUSB1', { ...terminal, serialNumber: 'A1', place: '1-1:1.0' }),
];

function computer(platform: NodeJS.Platform, list = ports) {
  const asked: string[] = [];
  return {
    asked,
    platform,
    serialPorts: async () => list,
    async mayOpen(path: string) {
      asked.push(path);
      return path !== '/dev/ttyS0';
    },
    groupOf: async () => ({ name: 'dialout', isMember: false, isInForce: false }),
    holderOf: async (path: string) =>
      path === '/dev/ttyUSB0' ? { program: 'minicom', processId: 77 } : null,
  };
}

const view = (of: TerminalPort | TerminalPort[] | null, on = computer('linux')) =>
  viewSerialPorts(of === null ? [] : [of].flat(), createVirtualClock(), on);

describe('what a person is told of the serial ports', () => {
  it('is what they are, who holds them, and whether they may be opened: two different things', async () => {
    const [builtIn, cable, vx820] = await view(null);
    expect(builtIn).toMatchObject({ denied: true, group: 'dialout', holder: null, guess: null });
    expect(cable).toMatchObject({
      denied: false,
      group: null,
      holder: { program: 'minicom', processId: 77 },
      guess: { kind: 'adapter', maker: 'FTDI' },
      terminal: null,
    });
    expect(vx820).toMatchObject({
      guess: { kind: 'terminal', maker: 'Verifone', protocols: ['zvt', 'transbank'] },
      inUse: false,
    });
  });

  it('is where the terminal of the settings is now, whatever port they name', async () => {
    const named = { name: 'main', path: '/dev/ttyUSB7', memory: memoryOf('/dev/ttyUSB7'), isOpen: true };
    const on = computer('linux');
    const views = await view(named, on);
    expect(views.map(({ terminal: is, inUse }) => [is, inUse])).toEqual([
      [null, false],
      [null, false],
      ['here', true],
    ]);
    // What we have open ourselves need not be asked about.
    expect(on.asked).toEqual(['/dev/ttyS0', '/dev/ttyUSB0']);
  });

  it('is that another device has the place of the terminal’s', async () => {
    const named = { name: 'main', path: '/dev/ttyUSB0', memory: memoryOf('/dev/ttyUSB0'), isOpen: false };
    const views = await view(named, computer('linux', ports.slice(0, 2)));
    expect(views.map(({ terminal: is, inUse }) => [is, inUse])).toEqual([
      [null, false],
      ['unsure', false],
    ]);
  });

  it('is found by what it is where the settings say that', async () => {
    const named = { name: 'main', path: 'usb:11ca:0219', memory: memoryOf(null), isOpen: false };
    const views = await view(named);
    expect(views.map(({ terminal: is }) => is)).toEqual([null, null, 'here']);
  });

  it('is which of several terminals is there, and at whose place another device is', async () => {
    const views = await view([
      { name: 'main', path: '/dev/ttyUSB1', memory: memoryOf('/dev/ttyUSB1'), isOpen: true },
      { name: 'bar', path: '/dev/ttyUSB0', memory: { ...memoryOf(null), recall: () => gone }, isOpen: false },
    ]);
    expect(views.map(({ terminal: is, ofTerminal, inUse }) => [is, ofTerminal, inUse])).toEqual([
      [null, undefined, false],
      ['unsure', 'bar', false],
      ['here', undefined, true],
    ]);
  });

  it('asks Windows for nothing that it does not tell', async () => {
    const on = computer('win32');
    expect((await view(null, on)).every(({ denied, holder }) => !denied && holder === null)).toBe(true);
    expect(on.asked).toEqual([]);
  });
});
