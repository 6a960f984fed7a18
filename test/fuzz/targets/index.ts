/** Every entrance that is fuzzed. */
import type { FuzzTarget } from '../target.ts';
import { amounts } from './amounts.ts';
import { configuration } from './configuration.ts';
import { ecr17 } from './ecr17.ts';
import { ecrEdcFrames, ecrEdcMessages } from './ecr-edc.ts';
import { httpBodies } from './http-bodies.ts';
import { httpHeads } from './http-heads.ts';
import { journals } from './journals.ts';
import { transbank } from './transbank.ts';
import { kpayMessages } from './kpay-messages.ts';
import { zvtSerialFrames, zvtTcpFrames } from './zvt-frames.ts';
import { zvtMessages } from './zvt-messages.ts';

export const targets: readonly FuzzTarget[] = [
  amounts,
  configuration,
  ecr17,
  ecrEdcFrames,
  ecrEdcMessages,
  httpBodies,
  httpHeads,
  journals,
  transbank,
  kpayMessages,
  zvtSerialFrames,
  zvtTcpFrames,
  zvtMessages,
];
