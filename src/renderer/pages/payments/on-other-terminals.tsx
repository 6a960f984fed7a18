/** What a search finds on the terminals beside the one that is shown: a reference is found wherever it was paid. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { takenMinor, type PaymentFilter } from '../../../contract/console/index.ts';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { isOnTerminal, ofTerminal, terminalNames } from '../../store/chosen-terminal.ts';
import { useChanges, useClient, useConsoleState, useView } from '../../store/console-context.tsx';
import { fetchMethod } from '../../store/queries.ts';
import { href } from '../../store/route.ts';

/** Of each terminal. */
const maxFound = 3;
const search = 'on other terminals';

export function OnOtherTerminals({ terminal, filter }: { terminal: string; filter: PaymentFilter }) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const titleOf = useTerminalTitle();
  const client = useClient();
  const { connected } = useView();
  const others = terminalNames(useConsoleState()).filter((name) => name !== terminal);
  const queries = useQueryClient();
  useChanges((change) => {
    for (const name of others) {
      if (isOnTerminal(change, name)) void queries.invalidateQueries({ queryKey: [search, name] });
    }
  });
  const results = useQueries({
    queries: others.map((name) => ({
      queryKey: [search, name, filter],
      queryFn: () =>
        fetchMethod(client, 'payments', { filter, before: null, limit: maxFound, ...ofTerminal(name) }),
      enabled: connected && filter.text !== null,
      gcTime: 0,
    })),
  });
  const found = results.flatMap(({ data }) => data?.payments ?? []);
  const silent = others.filter((_, index) => results[index]?.isError === true);
  if (filter.text === null || others.length === 0) return null;
  return (
    <div role="status" className="payments-elsewhere">
      {found.length > 0 && (
        <div className="note payments-found">
          <p>{t('terminals.foundElsewhere')}</p>
          <ul>
            {found.map((payment) => (
              <li key={payment.transactionId}>
                <a href={href('payments', payment.transactionId)}>{payment.reference}</a>
                <span>{titleOf(payment.onTerminal)}</span>
                <span>{money(takenMinor(payment), payment.currency)}</span>
                <PaymentStatus status={payment.status} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {silent.map((name) => (
        <p key={name} className="note note-warn">
          {t('terminals.notSearched', { terminal: titleOf(name) })}
        </p>
      ))}
    </div>
  );
}
