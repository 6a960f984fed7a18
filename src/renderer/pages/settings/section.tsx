import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../contract/console/index.ts';

/** A group of settings with its heading. */
export function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card settings-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {text !== undefined && <p className="calm">{text}</p>}
      </header>
      {children}
    </section>
  );
}

/** A box to tick with what it means below it. */
export function Tick({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
  problem = null,
}: {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  problem?: string | null;
}) {
  const id = useId();
  return (
    <div className="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {problem !== null && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        {hint !== undefined && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** "Set by --terminal" for a setting that cannot be changed here; undefined for others. */
export function useFixedWords({ fixed }: SettingsView): (key: string) => string | undefined {
  const { t } = useTranslation();
  return (key) => {
    const found = fixed.find((entry) => entry.key === key);
    return found === undefined ? undefined : t('settings.fixed', { by: found.by });
  };
}
