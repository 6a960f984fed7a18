/** "Find my terminal": says what the search does, runs it on request, and offers what answered. */
import { CircleCheck, CircleQuestionMark, Search, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundTerminal, TerminalSearch } from '../../../contract/console/index.ts';
import { protocolOf } from '../../../contract/protocols.ts';
import { useAction } from '../../store/queries.ts';
import { useClient } from '../../store/console-context.tsx';
import { BridgeText } from '../bridge-text.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { RefusedNote } from '../notices.tsx';

/** How often a running search is looked at. */
const lookEveryMs = 500;

export function FindTerminal({
  disabled,
  onUse,
}: {
  disabled: boolean;
  onUse: (found: FoundTerminal) => void;
}) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button icon={<Search aria-hidden="true" />} disabled={disabled} onClick={() => setOpen(true)}>
        {t('terminalForm.find.title')}
      </Button>
      {open && (
        <FindDialog
          onUse={(found) => {
            setOpen(false);
            onUse(found);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function FindDialog({ onUse, onClose }: { onUse: (found: FoundTerminal) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const start = useAction('findTerminals');
  const stop = useAction('stopSearch');
  const [network, setNetwork] = useState(false);
  const [search, setSearch] = useRunningSearch();
  const running = search?.state === 'running';

  const end = async () => {
    if (running) await stop.run({});
  };
  return (
    <Dialog
      title={t('terminalForm.find.title')}
      onClose={() => {
        void end();
        onClose();
      }}
      actions={
        <>
          <Button
            onClick={() => {
              void end();
              onClose();
            }}
          >
            {t('app.close')}
          </Button>
          {running ? (
            <Button busy={stop.busy} onClick={() => void stop.run({}).then(setSearch)}>
              {t('terminalForm.find.stop')}
            </Button>
          ) : (
            <Button
              look={search?.found.length ? 'plain' : 'primary'}
              busy={start.busy}
              onClick={() => void start.run({ network }).then(setSearch)}
            >
              {t(search === null ? 'terminalForm.find.start' : 'terminalForm.find.again')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('terminalForm.find.explained')}</p>
      <label className="choice">
        <input
          type="checkbox"
          checked={network}
          disabled={running}
          onChange={({ target }) => setNetwork(target.checked)}
        />
        <span>
          {t('terminalForm.find.network')}
          <span className="choice-text">{t('terminalForm.find.networkText')}</span>
        </span>
      </label>
      <RefusedNote refusal={start.refusal ?? stop.refusal} />
      {running && <Progress search={search} />}
      <ul className="found-terminals">
        {search?.found.map((found) => (
          <Found key={found.terminal} found={found} onUse={() => onUse(found)} />
        ))}
      </ul>
      <div aria-live="polite">{search !== null && !running && <Outcome search={search} />}</div>
    </Dialog>
  );
}

/** What the host tells of the search that runs, for as long as it runs. */
function useRunningSearch(): [TerminalSearch | null, (search: TerminalSearch | null) => void] {
  const client = useClient();
  const [search, setSearch] = useState<TerminalSearch | null>(null);
  useEffect(() => {
    if (search?.state !== 'running') return;
    let over = false;
    const timer = setTimeout(() => {
      void client.invoke('terminalSearch', {}).then((response) => {
        // While there is no connection, the last that was told stays, and is asked for again.
        if (!over) setSearch(response.ok ? response.value : { ...search });
      });
    }, lookEveryMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [client, search]);
  return [search, setSearch];
}

function Progress({ search: { done, total, asking } }: { search: TerminalSearch }) {
  const { t } = useTranslation();
  const [first] = asking;
  return (
    <label className="find-progress">
      <span>{t('terminalForm.find.progress', { done, total })}</span>
      <progress value={done} max={total} />
      {first !== undefined && <span className="calm mono">{first}</span>}
    </label>
  );
}

function Found({ found, onUse }: { found: FoundTerminal; onUse: () => void }) {
  const { t } = useTranslation();
  const { terminal, protocol, device, terminalId, text, sure } = found;
  const what = [device, protocolOf(protocol).title].filter((part) => part !== null).join(', ');
  const [Icon, tone] = sure
    ? text === null
      ? [CircleCheck, 'tone-good']
      : [TriangleAlert, 'tone-warn']
    : [CircleQuestionMark, 'tone-calm'];
  return (
    <li>
      <Icon className={tone} aria-hidden="true" />
      <span>
        <strong>{what}</strong> <span className="calm mono">{terminal}</span>
        {terminalId !== null && <span className="choice-text">{t('terminal.id', { id: terminalId })}</span>}
        {text !== null && (
          <span className="choice-text">
            <BridgeText text={text} />
          </span>
        )}
        {!sure && <span className="choice-text">{t('terminalForm.find.unsure')}</span>}
      </span>
      <Button look="primary" aria-label={t('terminalForm.find.useThis', { what, terminal })} onClick={onUse}>
        {t('terminalForm.find.use')}
      </Button>
    </li>
  );
}

function Outcome({ search: { state, found, taken, denied } }: { search: TerminalSearch }) {
  const { t } = useTranslation();
  return (
    <>
      {state === 'payment' && <p className="note note-warn">{t('terminalForm.find.payment')}</p>}
      {state === 'done' && found.length === 0 && (
        <p className="note note-warn">{t('terminalForm.find.nothing')}</p>
      )}
      {taken.length > 0 && <p className="calm">{t('terminalForm.find.taken', { list: taken.join(', ') })}</p>}
      {denied.length > 0 && (
        <p className="calm">{t('terminalForm.find.denied', { list: denied.join(', ') })}</p>
      )}
    </>
  );
}
