/** The ports that were found, one of which is chosen; and a search that tries them in turn. */
import { RefreshCw, Search } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SerialPortView } from '../../../contract/console/index.ts';
import { useMethod } from '../../store/queries.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { RefusedNote } from '../notices.tsx';
import { PortSearch } from './port-search.tsx';
import type { TerminalValue } from './terminal-value.ts';

export function SerialPorts({
  value,
  path,
  onPath,
  disabled,
  problem,
}: {
  value: TerminalValue;
  /** Empty: none chosen yet. */
  path: string;
  onPath: (path: string) => void;
  disabled: boolean;
  problem: string | null;
}) {
  const { t } = useTranslation();
  const name = useId();
  const { data, refusal, retry } = useMethod('ports', {});
  const ports = data?.ports ?? [];
  const [searching, setSearching] = useState(false);
  const [typing, setTyping] = useState(false);
  const found = ports.some((port) => port.path === path);
  const other = data !== null && ((path !== '' && !found) || typing);

  return (
    <fieldset className="terminal-ports" disabled={disabled}>
      <legend>{t('terminalForm.ports')}</legend>
      {data === null && refusal === null && <p className="calm">{t('terminalForm.portsLoading')}</p>}
      {refusal !== null && <RefusedNote refusal={refusal} />}
      {data !== null && refusal === null && ports.length === 0 && (
        <p className="note note-warn">{t('terminalForm.noPorts')}</p>
      )}
      {ports.map((port) => (
        <label key={port.path} className="choice">
          <input
            type="radio"
            name={name}
            checked={port.path === path && !other}
            onChange={() => {
              setTyping(false);
              onPath(port.path);
            }}
          />
          <PortLabel port={port} />
        </label>
      ))}
      <label className="choice">
        <input
          type="radio"
          name={name}
          checked={other}
          onChange={() => {
            setTyping(true);
            onPath('');
          }}
        />
        <span>{t('terminalForm.otherPort')}</span>
      </label>
      {other && (
        <Field
          label={t('terminalForm.otherPortLabel')}
          hint={t('terminalForm.otherPortHint')}
          problem={problem}
        >
          {(tie) => (
            <input
              {...tie}
              className="terminal-address mono"
              value={path}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onPath(target.value.trim())}
            />
          )}
        </Field>
      )}
      <div className="terminal-port-actions">
        <Button icon={<RefreshCw aria-hidden="true" />} onClick={retry}>
          {t('terminalForm.lookAgain')}
        </Button>
        {ports.length > 0 && (
          <Button icon={<Search aria-hidden="true" />} onClick={() => setSearching(true)}>
            {t('terminalForm.search')}
          </Button>
        )}
      </div>
      {searching && (
        <PortSearch
          value={value}
          ports={ports}
          onFound={(found) => {
            setTyping(false);
            onPath(found);
          }}
          onClose={() => setSearching(false)}
        />
      )}
    </fieldset>
  );
}

function PortLabel({ port }: { port: SerialPortView }) {
  const { t } = useTranslation();
  const { path, name, vendorId, productId, serialNumber, inUse } = port;
  const usb = vendorId === null || productId === null ? null : `USB ${vendorId}:${productId}`;
  const rest = [name === null ? null : path, usb, serialNumber].filter((part) => part !== null);
  return (
    <span>
      <strong>{name ?? path}</strong> {inUse && <span className="choice-tag">{t('terminalForm.inUse')}</span>}
      <span className="choice-text mono">{rest.join(' · ')}</span>
    </span>
  );
}
