/** Which web pages may call the bridge. */
import { Check, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../store/queries.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { SettingFields } from './setting-field.tsx';
import { Section, useFixedWords } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';
import { useOriginProblem } from './use-settings-problems.ts';

export function CallersSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { settings, change, problems, view } = draft;
  const fixed = useFixedWords(view)('allowedOrigins');
  const { allowedOrigins } = settings.bridge;
  const setOrigins = (origins: string[]) =>
    change({ ...settings, bridge: { ...settings.bridge, allowedOrigins: origins } });
  return (
    <Section title={t('settings.callers.title')} text={t('settings.callers.text')}>
      {fixed !== undefined && <p className="field-hint">{fixed}</p>}
      {allowedOrigins.length === 0 ? (
        <p className="calm">{t('settings.callers.none')}</p>
      ) : (
        <ul className="settings-list" aria-label={t('settings.callers.allowed')}>
          {allowedOrigins.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
              {fixed === undefined && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('settings.callers.remove', { origin })}
                  onClick={() => setOrigins(allowedOrigins.filter((one) => one !== origin))}
                >
                  <X aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problems['allowedOrigins'] !== undefined && (
        <p className="field-problem" role="alert">
          {problems['allowedOrigins']}
        </p>
      )}
      {fixed === undefined && (
        <AddOrigin known={allowedOrigins} onAdd={(origin) => setOrigins([...allowedOrigins, origin])} />
      )}
      <SettingFields section="callers" draft={draft} />
      <BlockedOrigins
        onAllowed={(origin) => {
          // The list waits to be saved as a whole; what is allowed now must not be taken out of it again.
          const isWaiting = allowedOrigins.join() !== view.settings.bridge.allowedOrigins.join();
          if (isWaiting && !allowedOrigins.includes(origin)) setOrigins([...allowedOrigins, origin]);
        }}
        canAllow={fixed === undefined}
      />
    </Section>
  );
}

function AddOrigin({ known, onAdd }: { known: string[]; onAdd: (origin: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  // Copied from an address line it ends with a slash, which is no part of an origin.
  const origin = text.trim().replace(/\/$/, '');
  const problem = useOriginProblem(origin, known);
  return (
    <form
      className="settings-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (origin === '' || problem !== null) return;
        onAdd(origin);
        setText('');
      }}
    >
      <Field label={t('settings.callers.add')} hint={t('settings.callers.addHint')} problem={problem}>
        {(tie) => (
          <input
            {...tie}
            className="mono"
            value={text}
            autoComplete="off"
            spellCheck={false}
            placeholder="https://pos.example"
            maxLength={300}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <Button type="submit" icon={<Plus aria-hidden="true" />} disabled={origin === '' || problem !== null}>
        {t('settings.callers.addNow')}
      </Button>
    </form>
  );
}

function BlockedOrigins({ onAllowed, canAllow }: { onAllowed: (origin: string) => void; canAllow: boolean }) {
  const { t } = useTranslation();
  const { blockedOrigins } = useConsoleState();
  const allow = useAction('allowOrigin');
  if (blockedOrigins.length === 0) return null;
  const run = async (origin: string) => {
    if ((await allow.run({ origin })) !== null) onAllowed(origin);
  };
  return (
    <div className="settings-blocked">
      <h3>{t('settings.callers.blocked')}</h3>
      <ul className="settings-list">
        {blockedOrigins.map(({ origin, at }) => (
          <li key={origin}>
            <code>{origin}</code>
            <span className="calm">
              <Time at={at} show="dateTime" />
            </span>
            {canAllow && (
              <Button
                icon={<Check aria-hidden="true" />}
                busy={allow.busy}
                aria-label={t('settings.callers.allowOrigin', { origin })}
                onClick={() => void run(origin)}
              >
                {t('banner.allow')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <RefusedNote refusal={allow.refusal} />
    </div>
  );
}
