/** Ports for messages: two ends in one process, or one that was handed to a utility process. Messages are cloned. */
import { EventEmitter } from 'node:events';

/** The other end of a port, wherever it is. */
export interface FarEnd {
  take(message: unknown): void;
  close(): void;
}

export class MessagePortMain extends EventEmitter {
  private far: FarEnd | null = null;
  /** Handed over: what comes goes there. */
  private elsewhere: FarEnd | null = null;
  private started = false;
  private closed = false;
  private waiting: unknown[] = [];

  // For message-port.ts, utility-process.ts and run-utility.ts alone.

  connect(far: FarEnd): void {
    this.far = far;
  }
  /** This end goes to another process. Gives the far end, which stays; null when it has gone already. */
  handOver(to: FarEnd): FarEnd | null {
    const { far } = this;
    this.far = null;
    this.elsewhere = to;
    for (const message of this.waiting.splice(0)) to.take(message);
    return far;
  }
  take(message: unknown): void {
    if (this.elsewhere !== null) return this.elsewhere.take(message);
    if (this.closed) return;
    this.waiting.push(message);
    setImmediate(() => this.deliver());
  }
  farEndIsGone(): void {
    if (this.elsewhere !== null) return this.elsewhere.close();
    if (this.closed) return;
    this.closed = true;
    setImmediate(() => this.emit('close'));
  }
  private deliver(): void {
    if (!this.started) return;
    for (const data of this.waiting.splice(0)) this.emit('message', { data, ports: [] });
  }

  // As in Electron.

  postMessage(message: unknown): void {
    if (!this.closed) this.far?.take(structuredClone(message));
  }
  start(): void {
    this.started = true;
    this.deliver();
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.far?.close();
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.connect({ take: (m) => this.port2.take(m), close: () => this.port2.farEndIsGone() });
    this.port2.connect({ take: (m) => this.port1.take(m), close: () => this.port1.farEndIsGone() });
  }
}
