/** Tokens that POS software must send, if there are any. Each is shown once. */
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PosToken } from '../../../contract/console/index.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Refused, RefusedNote } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { useAction, useMethod } from '../../store/queries.ts';
import { Section } from './section.tsx';

/** What the bridge takes as a token's name. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/;

export function TokensSection() {
  const { t } = useTranslation();
  const { data, refusal, retry } = useMethod('tokens', {});
  const [creating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<PosToken | null>(null);
  const tokens = data?.tokens ?? [];
  return (
    <Section title={t('settings.tokens.title')} text={t('settings.tokens.text')}>
      {data === null && refusal === null && <p className="calm">{t('app.loading')}</p>}
      {refusal !== null && <Refused refusal={refusal} retry={retry} />}
      {data !== null && refusal === null && tokens.length === 0 && (
        <p className="calm">{t('settings.tokens.none')}</p>
      )}
      {tokens.length > 0 && (
        <ul className="settings-list" aria-label={t('settings.tokens.title')}>
          {tokens.map((token) => (
            <li key={token.name}>
              <strong>{token.name}</strong>
              <span className="calm">
                <Time at={token.createdAt} show="dateTime" />
              </span>
              <Button
                look="quiet"
                icon={<Trash2 aria-hidden="true" />}
                aria-label={t('settings.tokens.removeNamed', { name: token.name })}
                onClick={() => setRemoving(token)}
              >
                {t('settings.tokens.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setCreating(true)}>
          {t('settings.tokens.create')}
        </Button>
      </div>
      {creating && (
        <CreateDialog
          isFirst={tokens.length === 0}
          known={tokens.map(({ name }) => name)}
          onClose={() => {
            setCreating(false);
            retry();
          }}
        />
      )}
      {removing !== null && (
        <RemoveDialog
          token={removing}
          isLast={tokens.length === 1}
          onClose={() => {
            setRemoving(null);
            retry();
          }}
        />
      )}
    </Section>
  );
}

function CreateDialog({
  isFirst,
  known,
  onClose,
}: {
  isFirst: boolean;
  known: string[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const create = useAction('createToken');
  const [name, setName] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const isTaken = known.includes(name.trim());
  const isRight = namePattern.test(name.trim()) && !isTaken;
  const make = async () => {
    const made = await create.run({ name: name.trim() });
    if (made !== null) setToken(made.token);
  };
  if (token !== null) {
    return (
      <Dialog
        title={t('settings.tokens.made', { name: name.trim() })}
        keepsOpen
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            {t('settings.tokens.kept')}
          </Button>
        }
      >
        <p className="note note-warn">{t('settings.tokens.once')}</p>
        <div className="settings-token">
          <code data-token>{token}</code>
          <CopyButton text={token} />
        </div>
        <p>{t('settings.tokens.use')}</p>
        <code className="settings-header-line">Authorization: Bearer …</code>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('settings.tokens.createTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" busy={create.busy} disabled={!isRight} onClick={() => void make()}>
            {t('settings.tokens.createNow')}
          </Button>
        </>
      }
    >
      {isFirst && <p className="note note-warn">{t('settings.tokens.first')}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) void make();
        }}
      >
        <Field
          label={t('settings.tokens.name')}
          hint={t('settings.tokens.nameHint')}
          problem={
            name === '' || isRight
              ? null
              : t(isTaken ? 'settings.problem.tokenTaken' : 'settings.problem.tokenName')
          }
        >
          {(tie) => (
            <input
              {...tie}
              value={name}
              autoComplete="off"
              maxLength={60}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      </form>
      <RefusedNote refusal={create.refusal} />
    </Dialog>
  );
}

function RemoveDialog({ token, isLast, onClose }: { token: PosToken; isLast: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useAction('removeToken');
  const run = async () => {
    if ((await remove.run({ name: token.name })) !== null) onClose();
  };
  return (
    <Dialog
      title={t('settings.tokens.removeNamed', { name: token.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="danger" busy={remove.busy} onClick={() => void run()}>
            {t('settings.tokens.remove')}
          </Button>
        </>
      }
    >
      <p>{t('settings.tokens.removeText')}</p>
      {isLast && <p className="note note-warn">{t('settings.tokens.removeLast')}</p>}
      <RefusedNote refusal={remove.refusal} />
    </Dialog>
  );
}
