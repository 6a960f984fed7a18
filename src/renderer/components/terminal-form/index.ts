/** Choosing a card terminal: where it is, how it is spoken to, and whether it answers. */
export { OtherTerminalDevices } from './serial-ports.tsx';
export { TerminalForm } from './terminal-form.tsx';
export { terminalValueOf, useTerminalProblems, type Problems, type TerminalValue } from './terminal-value.ts';
