import { describe, expect, it } from 'vitest';
import { neighbours, type OwnAddress } from '../../../src/host/find/own-networks.ts';
import { networkPlaces, portsLeftOut, serialPlaces } from '../../../src/host/find/places.ts';
import { protocolNameSchema } from '../../../src/contract/protocols.ts';
import { serialPort } from '../../support/console-data.ts';

const own = (address: string, netmask: string, changes: Partial<OwnAddress> = {}): OwnAddress => ({
  address,
  netmask,
  family: 'IPv4',
  internal: false,
  ...changes,
});

describe('the addresses among which a terminal is looked for', () => {
  it('are the other ones of this computer’s own private networks', () => {
    expect(neighbours([own('192.168.1.130', '255.255.255.252')])).toEqual(['192.168.1.129']);
    const all = neighbours([own('192.168.1.20', '255.255.255.0')]);
    expect(all).toHaveLength(253);
    expect([all[0], all.at(-1)]).toEqual(['192.168.1.1', '192.168.1.254']);
    expect(all).not.toContain('192.168.1.20');
  });

  it('are at most 254 of a larger network, those around the computer', () => {
    const all = neighbours([own('10.20.30.40', '255.0.0.0')]);
    expect(all).toHaveLength(253);
    expect(all.every((address) => address.startsWith('10.20.30.'))).toBe(true);
    expect(neighbours([own('172.16.255.1', '255.255.0.0')])).toHaveLength(253);
  });

  it('are none of the internet, of this computer itself, or of a line between two', () => {
    expect(
      neighbours([
        own('127.0.0.1', '255.0.0.0', { internal: true }),
        own('93.184.216.34', '255.255.255.0'),
        own('172.32.0.1', '255.255.255.0'),
        own('169.254.7.7', '255.255.0.0'),
        own('fd00::1', 'ffff:ffff:ffff:ffff::', { family: 'IPv6' }),
        own('10.8.0.2', '255.255.255.255'),
      ]),
    ).toEqual([]);
  });

  it('are each asked once, however many addresses the computer has there', () => {
    const both = [own('192.168.1.20', '255.255.255.0'), own('192.168.1.21', '255.255.255.0')];
    const all = neighbours(both);
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain('192.168.1.20');
    expect(all).not.toContain('192.168.1.21');
  });
});

describe('the places that are asked', () => {
  it('are the serial ports that nobody uses and that may be opened', () => {
    const ports = [
      serialPort('/dev/ttyUSB0', { inUse: true }),
      serialPort('/dev/ttyUSB1', { holder: { program: 'minicom', processId: 77 } }),
      serialPort('/dev/ttyUSB2', { denied: true }),
      serialPort('/dev/ttyUSB3', { name: 'A cable' }),
    ];
    expect(serialPlaces(ports, 'EUR')).toMatchObject([
      { terminal: 'serial:/dev/ttyUSB3', device: 'A cable' },
    ]);
    // The others are named, with the reason.
    expect(portsLeftOut(ports)).toEqual({
      taken: ['serial:/dev/ttyUSB0', 'serial:/dev/ttyUSB1'],
      denied: ['serial:/dev/ttyUSB2'],
    });
  });

  it('are asked first what the device and the currency speak for, and everything else after that', () => {
    const [plain] = serialPlaces([serialPort('COM3')], 'CLP');
    expect(plain?.protocols).toContain('zvt');
    expect(plain?.protocols.toSorted()).toEqual(['ecr-edc', 'ecr17', 'transbank', 'zvt']);
    expect(plain?.protocols.at(-1)).toBe('ecr17');
    const guess = { kind: 'terminal', maker: 'Verifone', protocols: ['zvt', 'transbank'] } as const;
    const [guessed] = serialPlaces([serialPort('COM3', { guess })], 'CLP');
    expect(guessed?.protocols.slice(0, 2).toSorted()).toEqual(['transbank', 'zvt']);
  });

  it('are the usual ports of each address', () => {
    const places = networkPlaces(['10.0.0.7'], 'EUR');
    expect(places.map(({ terminal }) => terminal).toSorted()).toEqual([
      ...protocolNameSchema.options.filter((name) => name === 'kpay').map(() => 'http:10.0.0.7:18080'),
      'tcp:10.0.0.7:20007',
      'tcp:10.0.0.7:8081',
    ]);
  });
});
