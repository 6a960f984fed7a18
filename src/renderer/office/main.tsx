/** The entry of the head office's page: takes the link, chooses the language, shows the page. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import '../styles/index.css';
import './office.css';
import { startI18n } from '../messages/i18n.ts';
import { OfficePage } from './office-page.tsx';
import { takeLink } from './office-client.ts';

const link = takeLink();
const container = document.getElementById('root');
if (container === null) throw new Error('The page has no place for the office.');
await startI18n('system');
const queries = new QueryClient({
  defaultOptions: {
    // What is refused is for a person, and each request for a payment is in the audit log.
    queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { networkMode: 'always', retry: false },
  },
});
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <OfficePage link={link} />
    </QueryClientProvider>
  </StrictMode>,
);
