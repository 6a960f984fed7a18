/** The ports that were found, one of which is chosen. */
import { RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SerialPortView } from '../../../contract/console/index.ts';
import { protocolOf } from '../../../contract/protocols.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { OnTerminal, useTerminalTitle } from '../terminal-choice/index.ts';
import { useAction, useMethod } from '../../store/queries.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { RefusedNote } from '../notices.tsx';

export function SerialPorts({
  path,
  onPath,
  disabled,
  problem,
}: {
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
  const [typing, setTyping] = useState(false);
  // Where the terminal is now, should the settings' own port be gone.
  const at = ports.find((port) => port.path === path) ?? ports.find(isMains);
  const found = at !== undefined && !typing;
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
            checked={port === at && path !== '' && !other}
            onChange={() => {
              setTyping(false);
              onPath(port.path);
            }}
          />
          <PortLabel port={port} />
        </label>
      ))}
      {ports
        .filter(({ terminal, ofTerminal }) => terminal === 'unsure' && ofTerminal === undefined)
        .map((port) => (
          <OtherDevice key={port.path} port={port} onAccepted={retry} />
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
      </div>
    </fieldset>
  );
}

/** The main terminal, which this form is about, is there. */
function isMains({ terminal, ofTerminal }: SerialPortView): boolean {
  return terminal === 'here' && ofTerminal === undefined;
}

/** The devices at the ports of the terminals beside the main one, where they are others than before. */
export function OtherTerminalDevices() {
  const { otherTerminals } = useConsoleState();
  return otherTerminals !== undefined && <Unsure />;
}

function Unsure() {
  const { data, retry } = useMethod('ports', {});
  return data?.ports
    .filter(({ terminal, ofTerminal }) => terminal === 'unsure' && ofTerminal !== undefined)
    .map((port) => <OtherDevice key={port.path} port={port} onAccepted={retry} />);
}

/** Another device than before is at the terminal's port: a person says once that it is meant. */
function OtherDevice({
  port: { path, ofTerminal },
  onAccepted,
}: {
  port: SerialPortView;
  onAccepted: () => void;
}) {
  const { t } = useTranslation();
  const accept = useAction('acceptDevice');
  return (
    <div className="note note-warn">
      <div>
        <OnTerminal name={ofTerminal} />
        <p>{t('terminalForm.otherDevice', { path })}</p>
        <Button
          busy={accept.busy}
          onClick={() =>
            void accept
              .run({ terminal: ofTerminal })
              .then((done) => (done === null ? undefined : onAccepted()))
          }
        >
          {t('terminalForm.acceptDevice')}
        </Button>
        <RefusedNote refusal={accept.refusal} />
      </div>
    </div>
  );
}

function PortLabel({ port }: { port: SerialPortView }) {
  const { t } = useTranslation();
  const { path, name, vendorId, productId, serialNumber, guess } = port;
  const usb = vendorId === null || productId === null ? null : `USB ${vendorId}:${productId}`;
  const rest = [name === null ? null : path, usb, serialNumber].filter((part) => part !== null);
  const titles = guess?.protocols.map((protocol) => protocolOf(protocol).title).join(' / ');
  const probably =
    guess === null
      ? null
      : t(`terminalForm.guess${guess.kind === 'terminal' ? 'Terminal' : 'Adapter'}`, {
          maker: guess.maker,
          protocols: titles,
        });
  return (
    <span>
      <strong>{name ?? path}</strong> <PortUse port={port} />
      <span className="choice-text mono">{rest.join(' · ')}</span>
      {probably !== null && <span className="choice-text">{probably}</span>}
    </span>
  );
}

function PortUse({ port }: { port: SerialPortView }) {
  const { inUse, terminal, ofTerminal, holder, denied, group } = port;
  const { t } = useTranslation();
  const titleOf = useTerminalTitle();
  const uses = [
    ofTerminal === undefined ? null : titleOf(ofTerminal),
    inUse ? t('terminalForm.inUse') : terminal === 'here' ? t('terminalForm.terminalHere') : null,
    holder === null ? null : t('terminalForm.heldBy', { program: holder.program, process: holder.processId }),
    denied ? (group === null ? t('terminalForm.denied') : t('terminalForm.deniedGroup', { group })) : null,
  ];
  return uses
    .filter((use) => use !== null)
    .map((use) => (
      <span key={use} className="choice-tag">
        {use}
      </span>
    ));
}
