/** The window's entry: connects to the host, chooses language and theme, shows the app. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import './styles/index.css';
import { App } from './app.tsx';
import { isMini, MiniApp } from './mini/mini-app.tsx';
import { chooseTransport } from './transport/index.ts';
import { createConsoleClient } from './store/console-client.ts';
import { ConsoleProvider } from './store/console-context.tsx';
import { showLastChosen, terminalChoice } from './store/chosen-terminal.ts';
import { createTillEvents } from './store/till-events.ts';
import { createQueryClient } from './store/queries.ts';
import { startI18n } from './messages/i18n.ts';

const mini = isMini();
if (mini) {
  // Nothing is chosen in the small window of the desktop app: it goes with the large one.
  showLastChosen();
  window.addEventListener('storage', showLastChosen);
}
window.tillbridge?.onGoTo((place) => {
  if (typeof place === 'string' && !mini) window.location.hash = place;
});
const container = document.getElementById('root');
if (container === null) throw new Error('The page has no place for the app.');
await startI18n('system');
const client = createConsoleClient(chooseTransport());
const tillEvents = createTillEvents(client, terminalChoice);
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <ConsoleProvider client={client} tillEvents={tillEvents}>
        {mini ? <MiniApp /> : <App />}
      </ConsoleProvider>
    </QueryClientProvider>
  </StrictMode>,
);
