/** Name or number of the terminal in the network. The usual port is added; it need not be written. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../field.tsx';
import { usualZvtPort, withUsualPort } from './terminal-value.ts';

export function NetworkAddress({
  text,
  onText,
  disabled,
  problem,
}: {
  /** With its port, or not right yet. */
  text: string;
  onText: (text: string) => void;
  disabled: boolean;
  problem: string | null;
}) {
  const { t } = useTranslation();
  // Under the fingers stays what was written. Nothing may move when the field is left: a click would miss its button.
  const [written, setWritten] = useState(text);
  const shown = withUsualPort(written) === text ? written : text;
  return (
    <Field
      label={t('terminalForm.address')}
      hint={t('terminalForm.addressHint', { port: usualZvtPort })}
      problem={text === '' ? null : problem}
    >
      {(tie) => (
        <input
          {...tie}
          className="terminal-address mono"
          value={shown}
          disabled={disabled}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            const next = target.value.trim();
            setWritten(next);
            onText(withUsualPort(next));
          }}
          onBlur={() => setWritten(text)}
        />
      )}
    </Field>
  );
}
