/** Many small requests, one after the other on a few connections that come back when they are closed. */
import { connect } from 'node:net';

const lanes = 4;

/** Sends `count` requests that `make` gives the bytes of, and resolves when each was answered or its connection closed. */
export async function flood(port: number, count: number, make: (index: number) => string): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    await onOneConnection();
    if (next < count) await lane();
  };
  const onOneConnection = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port });
      const send = () => {
        if (next >= count) return socket.end();
        socket.write(make(next));
        next += 1;
      };
      socket.on('connect', send);
      // Each answer is small enough to come in one piece.
      socket.on('data', (answer: Buffer) => {
        if (!answer.includes('Connection: close')) send();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: lanes }, lane));
}
