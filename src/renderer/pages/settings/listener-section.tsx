/** How POS software reaches the bridge, and what it must send. */
import { useTranslation } from 'react-i18next';
import { currencySchema } from '../../../contract/money.ts';
import { Field } from '../../components/field.tsx';
import { NumberInput } from './number-input.tsx';
import { Section, Tick, useFixedWords } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function ListenerSection({ draft }: { draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { settings, change, problems, view } = draft;
  const fixed = useFixedWords(view);
  const { app, bridge } = settings;
  const setBridge = (part: Partial<typeof bridge>) => change({ ...settings, bridge: { ...bridge, ...part } });
  return (
    <Section title={t('settings.listener.title')} text={t('settings.listener.text')}>
      <div className="settings-pair">
        <Field
          label={t('settings.listener.port')}
          hint={fixed('port') ?? t('settings.listener.portHint')}
          problem={problems['port'] ?? null}
        >
          {(tie) => (
            <NumberInput
              tie={tie}
              className="settings-port"
              inputMode="numeric"
              value={bridge.port}
              disabled={fixed('port') !== undefined}
              parse={portOf}
              format={String}
              onChange={(port) => setBridge({ port })}
            />
          )}
        </Field>
        {/* The terminal's form has the currency too, except of a simulator. */}
        {(bridge.terminal === 'simulator' || bridge.terminal === null) && (
          <Field
            label={t('settings.listener.currency')}
            hint={fixed('currency') ?? t('settings.listener.currencyHint')}
            problem={problems['currency'] ?? null}
          >
            {(tie) => (
              <select
                {...tie}
                value={bridge.currency}
                disabled={fixed('currency') !== undefined}
                onChange={({ target }) => setBridge({ currency: currencySchema.parse(target.value) })}
              >
                {currencySchema.options.map((currency) => (
                  <option key={currency}>{currency}</option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <Tick
        label={t('settings.listener.start')}
        hint={t('settings.listener.startHint')}
        checked={app.startListener}
        onChange={(startListener) => change({ ...settings, app: { ...app, startListener } })}
      />
      <Tick
        label={t('settings.listener.references')}
        hint={fixed('makeReferences') ?? t('settings.listener.referencesHint')}
        checked={bridge.makeReferences}
        disabled={fixed('makeReferences') !== undefined}
        problem={problems['makeReferences'] ?? null}
        onChange={(makeReferences) => setBridge({ makeReferences })}
      />
      {bridge.makeReferences && (
        <p className="note note-warn" role="status">
          {t('settings.listener.referencesWarning')}
        </p>
      )}
    </Section>
  );
}

function portOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
}
