/** Choosing a card terminal: where it is, how it is spoken to, and whether it answers. */
export { ConnectionTest } from './connection-test.tsx';
export { TerminalForm, type TerminalFormProps } from './terminal-form.tsx';
export type { TerminalValue } from './terminal-value.ts';
export { useTerminalProblems, type Problems } from './use-terminal-problems.ts';
