import { describe, expect, it } from 'vitest';
import type { SerialPortView } from '../../src/contract/console/index.ts';
import { portTable } from '../../src/headless/port-table.ts';
import { serialPort } from '../support/console-data.ts';

const bare = serialPort('/dev/ttyS0');
const ingenico: SerialPortView = {
  ...bare,
  path: '/dev/ttyACM0',
  maker: 'INGENICO',
  product: 'Desk/5000',
  serialNumber: '252747',
  vendorId: '079b',
  productId: '0028',
  guess: { kind: 'terminal', maker: 'Ingenico', protocols: ['zvt', 'ecr17'] },
};

describe('the ports on the command line', () => {
  it('are what --terminal takes, what is plugged in, what it probably is, and who uses it', () => {
    const adapter: SerialPortView = {
      ...bare,
      path: '/dev/ttyUSB0',
      maker: 'FTDI',
      vendorId: '0403',
      productId: '6001',
      guess: { kind: 'adapter', maker: 'FTDI', protocols: [] },
      holder: { program: 'minicom', processId: 4711 },
      denied: true,
      group: 'dialout',
    };
    expect(portTable([{ ...ingenico, terminal: 'here' }, adapter])).toEqual([
      'PORT                 MAKER     PRODUCT    SERIAL NUMBER  USB        PROBABLY                                USE',
      'serial:/dev/ttyACM0  INGENICO  Desk/5000  252747         079b:0028  card terminal (Ingenico; zvt or ecr17)  the terminal of the settings',
      'serial:/dev/ttyUSB0  FTDI                                0403:6001  adapter (FTDI)                          held by minicom (process 4711), no permission (group dialout)',
    ]);
  });

  it('have no column in which nothing stands', () => {
    expect(portTable([bare])).toEqual(['PORT', 'serial:/dev/ttyS0']);
  });

  it.each([
    [{ terminal: 'here', ofTerminal: 'bar' }, 'the terminal "bar"'],
    [{ terminal: 'unsure' }, 'another device than before (see --accept)'],
    [{ terminal: 'unsure', ofTerminal: 'bar' }, 'another device than before (see --accept --for bar)'],
    [{ denied: true }, 'no permission'],
  ] as const)('say of %j: %s', (part, words) => {
    expect(portTable([{ ...bare, ...part }])).toEqual([
      `PORT               USE`,
      `serial:/dev/ttyS0  ${words}`,
    ]);
  });
});
