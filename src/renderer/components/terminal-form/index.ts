/** Choosing a card terminal: where it is, how it is spoken to, and whether it answers. */
export { ConnectionTest } from './connection-test.tsx';
export { TerminalForm, type TerminalFormProps } from './terminal-form.tsx';
export { useTerminalProblems, type Problems, type TerminalValue } from './terminal-value.ts';
