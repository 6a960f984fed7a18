export { OnTerminal, useTerminalTitle } from './terminal-title.tsx';
export { PageTitle, TerminalField } from './page-title.tsx';
export { TerminalOverview } from './terminal-overview.tsx';
