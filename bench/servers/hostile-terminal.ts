/**
 * A terminal on the network that answers nothing and sends what it was told, again and again, on every connection:
 * `node bench/servers/hostile-terminal.ts WHAT TIMES PAUSE_MS`, where WHAT is the name of a worst frame, which is sent as long
 * as it can be, or bytes in hex, and TIMES of them go out at once before each pause. Without WHAT it is silent.
 */
import net, { type Socket } from 'node:net';
import { largestApduBytes, worstFrames } from '../../test/support/worst-zvt-frames.ts';

const [, , what = '', times = '1', pauseMs = '100'] = process.argv;
const frame = worstFrames.find((each) => each.what === what)?.make(largestApduBytes);
const unit = frame ?? Buffer.from(what, 'hex');
const piece = Buffer.concat(Array.from({ length: Number(times) }, () => unit));

const server = net.createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.resume();
  if (piece.length > 0) talk(socket);
});

/** Goes on as soon as the bridge has taken the last piece, and the pause is over. */
function talk(socket: Socket) {
  if (socket.destroyed) return;
  socket.write(piece, () => setTimeout(talk, Number(pauseMs), socket));
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(`Waiting on 127.0.0.1:${address.port}`);
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
