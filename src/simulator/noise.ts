import type { Exchange } from './conversation.ts';

/** Bytes that no receiver may take for anything: no DLE, STX, ACK or NAK among them. */
const garbage = Uint8Array.of(0x00, 0xff, 0x55, 0x7f);
const pieceBytes = 3;

/** The line is noisy until the operation is over. (The NAK of the scene is given by `acceptFrame` of the link.) */
export function makeNoise(exchange: Exchange): void {
  exchange.disturb({ pieceBytes, garbage, corruptNextFrame: true });
}
