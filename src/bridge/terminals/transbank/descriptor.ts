/** Transbank POS Integrado for everybody outside of this folder. */
import type { ProtocolDescriptor } from '../../../contract/protocol-descriptor.ts';

export const descriptor = {
  name: 'transbank',
  title: 'Transbank',
  countries: ['CL'],
  connections: {
    serial: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
    // Behind a converter: the terminals have no network port of their own for it.
    tcp: { usualPort: null },
  },
  currencies: ['CLP'],
  settings: {},
  decode: { framings: ['serial'] },
  hasSimulator: true,
} as const satisfies ProtocolDescriptor;
