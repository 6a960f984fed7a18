/** Every entrance that is fuzzed. */
import type { FuzzTarget } from '../target.ts';
import { amounts } from './amounts.ts';
import { configuration } from './configuration.ts';
import { httpBodies } from './http-bodies.ts';
import { httpHeads } from './http-heads.ts';
import { journals } from './journals.ts';
import { zvtSerialFrames, zvtTcpFrames } from './zvt-frames.ts';
import { zvtMessages } from './zvt-messages.ts';

export const targets: readonly FuzzTarget[] = [
  amounts,
  configuration,
  httpBodies,
  httpHeads,
  journals,
  zvtSerialFrames,
  zvtTcpFrames,
  zvtMessages,
];
