/** Lines: what moves bytes between the bridge and a terminal. */
export { LineError } from './line.ts';
export type { Line, LineConnection } from './line.ts';
export { createMemoryLine, createMemoryPair } from './memory.ts';
export { createTcpLine, socketConnection } from './tcp.ts';
export type { TcpLineOptions } from './tcp.ts';
export { createSerialLine } from './serial.ts';
export type { SerialLineOptions } from './serial.ts';
export { listSerialPorts } from './serial-ports.ts';
export type { SerialPortInfo } from './serial-ports.ts';
export { createBackoff, openWithBackoff } from './reconnect.ts';
export type { Backoff, OpenWithBackoffOptions } from './reconnect.ts';
export { lockLine, sameLine, serialLockNames } from './line-lock.ts';
export type { LineLock } from './line-lock.ts';
