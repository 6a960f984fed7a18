/** Which serial settings `tillbridge capture` opens a line with. */
import { expect, test } from 'vitest';
import { serialSettingsOf } from '../../src/headless/run-capture.ts';

const serial = { baudRate: 19_200, dataBits: 8, parity: 'none', stopBits: 2 } as const;
const ofProtocol = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 };

test.each([
  ['nothing', {}, {}, ofProtocol],
  ['a flag', { 'serial.baudRate': '19200' }, {}, { ...ofProtocol, baudRate: 19_200 }],
  ['a variable', {}, { TILLBRIDGE_BAUD_RATE: '19200' }, { ...ofProtocol, baudRate: 19_200 }],
  ['an empty variable', {}, { TILLBRIDGE_BAUD_RATE: '' }, ofProtocol],
])('%s names the speed: the rest is as the protocol has it', (_what, flags, environment, expected) => {
  expect(serialSettingsOf({ protocol: 'transbank', serial }, flags, environment)).toEqual(expected);
});
