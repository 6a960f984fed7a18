/** The protocol's own settings, as its descriptor names them. */
import { useTranslation } from 'react-i18next';
import { valueAt, withValueAt } from '../../../contract/dotted-keys.ts';
import { Field } from '../field.tsx';
import {
  protocolSettings,
  textsIn,
  type Problems,
  type ProtocolSetting,
  type TerminalValue,
} from './terminal-value.ts';

interface FieldsProps {
  value: TerminalValue;
  onChange: (value: TerminalValue) => void;
  problems: Problems;
  /** What a source of higher precedence has fixed, by what. */
  fixedBy: (key: string) => string | undefined;
  /** The secrets that are stored. */
  secretsSet: readonly string[];
}

/** Those that everybody sees, or those that hardly anybody changes. */
export function ProtocolFields({ advanced, ...props }: FieldsProps & { advanced: boolean }) {
  return protocolSettings(props.value.protocol)
    .filter(({ isAdvanced }) => isAdvanced === advanced)
    .map((setting) => <ProtocolField key={setting.key} setting={setting} {...props} />);
}

function ProtocolField({
  setting,
  value,
  onChange,
  problems,
  fixedBy,
  secretsSet,
}: FieldsProps & { setting: ProtocolSetting }) {
  const { t, i18n } = useTranslation();
  const { key, secret, choices, fallback } = setting;
  const texts = textsIn(setting, i18n.language);
  const by = fixedBy(key);
  const isStored = secretsSet.includes(key);
  const hint =
    by !== undefined ? t('terminalForm.fixed', { by }) : isStored ? t('terminalForm.secretKept') : texts.hint;
  const current = valueAt(value, key);
  const shown = typeof current === 'string' ? current : '';
  const set = (next: string | null) => onChange(withValueAt(value, key, next));
  const usual = typeof fallback === 'string' ? fallback : '';
  return (
    <Field label={texts.label} hint={hint} problem={problems[key] ?? null}>
      {(tie) => {
        const shared = { ...tie, disabled: by !== undefined };
        if (choices !== null)
          return (
            <select {...shared} value={shown} onChange={({ target }) => set(target.value)}>
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.choices?.[choice] ?? choice}
                </option>
              ))}
            </select>
          );
        return (
          <input
            {...shared}
            className="mono"
            value={shown}
            placeholder={isStored ? '••••••' : usual}
            autoComplete="off"
            spellCheck={false}
            inputMode={/^\d+$/.test(usual) ? 'numeric' : 'text'}
            onChange={({ target }) => set(secret && target.value === '' ? null : target.value)}
          />
        );
      }}
    </Field>
  );
}
