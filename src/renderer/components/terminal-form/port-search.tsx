/** Tries the found ports in turn, after saying what that does to them, until a terminal answers. */
import { CircleCheck, CircleDashed, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionTest, SerialPortView } from '../../../contract/console/index.ts';
import { useClient } from '../../store/console-context.tsx';
import { useRefusalMessage } from '../../messages/i18n.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { TestMessage } from './connection-test.tsx';
import { addressOf, testOf, type TerminalValue } from './terminal-value.ts';

type Tried = ConnectionTest | { kind: 'refused'; text: string };
type Stage =
  | { kind: 'asking' }
  | { kind: 'trying'; path: string }
  | { kind: 'found'; path: string; test: ConnectionTest }
  | { kind: 'nothing' };

/** There is a terminal at that port. */
const foundKinds: ReadonlySet<ConnectionTest['kind']> = new Set(['ready', 'attention', 'not_saved']);

export function PortSearch({
  value,
  ports,
  onFound,
  onClose,
}: {
  value: TerminalValue;
  ports: readonly SerialPortView[];
  /** The path of the port at which a terminal answered. */
  onFound: (path: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const refusalMessage = useRefusalMessage();
  const [stage, setStage] = useState<Stage>({ kind: 'asking' });
  const [tried, setTried] = useState<ReadonlyMap<string, Tried>>(new Map());
  /** A test under way cannot be taken back; after it, no other port is tried. */
  const stopped = useRef(false);
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);

  const search = async () => {
    setTried(new Map());
    for (const { path } of ports) {
      setStage({ kind: 'trying', path });
      const response = await client.invoke(
        'testConnection',
        testOf(value, addressOf('serial', path, value.protocol)),
      );
      if (stopped.current) return;
      const result: Tried = response.ok
        ? response.value
        : { kind: 'refused', text: refusalMessage(response.refusal) };
      setTried((before) => new Map(before).set(path, result));
      if (response.ok && foundKinds.has(response.value.kind)) {
        setStage({ kind: 'found', path, test: response.value });
        onFound(path);
        return;
      }
    }
    setStage({ kind: 'nothing' });
  };

  const triedMessage = (path: string) => {
    if (stage.kind === 'trying' && stage.path === path) return t('terminalForm.tried.now');
    const result = tried.get(path);
    return result === undefined ? null : t(`terminalForm.tried.${result.kind}`);
  };

  return (
    <Dialog
      title={t('terminalForm.search')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>
            {t(stage.kind === 'trying' || stage.kind === 'asking' ? 'app.cancel' : 'app.close')}
          </Button>
          {stage.kind !== 'found' && (
            <Button look="primary" busy={stage.kind === 'trying'} onClick={() => void search()}>
              {t(stage.kind === 'nothing' ? 'app.retry' : 'terminalForm.searchStart')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('terminalForm.searchExplained')}</p>
      <ul className="port-search">
        {ports.map(({ path, name }) => (
          <li key={path}>
            <SearchMark tried={tried.get(path)} now={stage.kind === 'trying' && stage.path === path} />
            <span>
              {name ?? path} {name !== null && <span className="calm mono">{path}</span>}
            </span>
            <span className="calm">{triedMessage(path)}</span>
          </li>
        ))}
      </ul>
      <div aria-live="polite">
        {stage.kind === 'found' && <TestMessage test={stage.test} />}
        {stage.kind === 'nothing' && <p className="note note-warn">{t('terminalForm.searchNothing')}</p>}
      </div>
    </Dialog>
  );
}

function SearchMark({ tried, now }: { tried: Tried | undefined; now: boolean }) {
  if (now) return <LoaderCircle className="spin tone-busy" aria-hidden="true" />;
  if (tried === undefined) return <CircleDashed className="tone-calm" aria-hidden="true" />;
  if (tried.kind === 'ready') return <CircleCheck className="tone-good" aria-hidden="true" />;
  if (tried.kind === 'attention' || tried.kind === 'not_saved')
    return <TriangleAlert className="tone-warn" aria-hidden="true" />;
  return <CircleX className="tone-calm" aria-hidden="true" />;
}
