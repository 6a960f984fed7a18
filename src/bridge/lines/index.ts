/** Lines: what moves bytes between the bridge and a terminal. */
export { LineError } from './line.ts';
export type { Line, LineConnection } from './line.ts';
export { createMemoryLine, memoryLineName } from './memory.ts';
export { createHttpLine } from './http.ts';
export { createTcpLine, socketConnection } from './tcp.ts';
export { createSerialLine } from './serial.ts';
export { createDeviceMemory, type DeviceMemory } from './device-memory.ts';
export { portAt, portOfDevice } from './remembered-device.ts';
export { findUsbPort, listSerialPorts, parseUsbPath } from './serial-ports.ts';
export type { SerialPortInfo } from './serial-ports.ts';
export { openWithBackoff } from '../../base/open-with-backoff.ts';
export { lockLine, sameLine } from './line-lock.ts';
