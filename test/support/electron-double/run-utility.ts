/** Runs the file of a utility process: gives it `process.parentPort`, as Electron does. */
import { EventEmitter } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessagePortMain } from './message-port.ts';
import type { BetweenProcesses } from './utility-process.ts';

const ports: MessagePortMain[] = [];

function send(message: BetweenProcesses): void {
  if (process.connected) process.send?.(message, () => {});
}

/** Messages wait until somebody listens. */
class ParentPort extends EventEmitter {
  private waiting: object[] = [];

  constructor() {
    super();
    this.on('newListener', (event) => {
      if (event === 'message') setImmediate(() => this.deliver());
    });
  }
  take(event: object): void {
    this.waiting.push(event);
    this.deliver();
  }
  private deliver(): void {
    while (this.listenerCount('message') > 0 && this.waiting.length > 0)
      this.emit('message', this.waiting.shift());
  }
  postMessage(message: unknown): void {
    send({ kind: 'message', message, ports: [] });
  }
}

const parentPort = new ParentPort();
Object.defineProperty(process, 'parentPort', { value: parentPort });

process.on('message', (message: BetweenProcesses) => {
  if (message.kind === 'port') return ports[message.port]?.take(message.message);
  if (message.kind === 'close') return ports[message.port]?.farEndIsGone();
  const handed = message.ports.map((place) => {
    const port = new MessagePortMain();
    port.connect({
      take: (data) => send({ kind: 'port', port: place, message: data }),
      close: () => send({ kind: 'close', port: place }),
    });
    ports[place] = port;
    return port;
  });
  parentPort.take({ data: message.message, ports: handed });
});
// The app has gone, and with it the other ends.
process.on('disconnect', () => {
  for (const port of ports) port.farEndIsGone();
});

// What the file reads as its command line: the executable, itself, and its own arguments.
process.argv.splice(1, 1);
await import(pathToFileURL(path.resolve(process.argv[1] ?? '')).href);
