/** Which terminal, on which line, with which password. Edits a value that its user keeps; saves nothing itself. */
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencySchema } from '../../../contract/money.ts';
import type { SettingsView } from '../../../contract/console/index.ts';
import { Field } from '../field.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { AdvancedOptions } from './advanced-options.tsx';
import { SerialPorts } from './serial-ports.tsx';
import {
  addressOf,
  addressParts,
  protocols,
  withProtocol,
  type TerminalValue,
  type Problems,
  usualZvtPort,
  withUsualPort,
} from './terminal-value.ts';
import './terminal-form.css';

export interface TerminalFormProps {
  value: TerminalValue;
  onChange: (value: TerminalValue) => void;
  /** As `useTerminalProblems` tells them, or the same for a whole page of settings. */
  problems: Problems;
  /** Settings that a source of higher precedence has fixed: shown, not changed. */
  fixed: SettingsView['fixed'];
  /** A password is stored; the field then says that an empty one leaves it. */
  passwordSet?: boolean;
  /** Offers the simulator beside cable and network. */
  offersSimulator?: boolean;
}

const everyKind = ['serial', 'tcp', 'simulator'] as const;

export function TerminalForm(props: TerminalFormProps) {
  const { value, onChange, problems, fixed, passwordSet = false, offersSimulator = true } = props;
  const { t } = useTranslation();
  const name = useId();
  const { kind, text } = addressParts(value.terminal);
  const fixedBy = (key: string) => fixed.find((entry) => entry.key === key)?.by;
  const hintOf = (key: string, hint: string) => {
    const by = fixedBy(key);
    return by === undefined ? hint : t('terminalForm.fixed', { by });
  };
  const terminalFixed = fixedBy('terminal');
  const setTerminal = (terminal: string) => onChange({ ...value, terminal });
  /** What was written for another kind, for when a person comes back to it. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const setKind = (next: (typeof everyKind)[number]) => {
    if (kind !== null) setTexts({ ...texts, [kind]: text });
    setTerminal(addressOf(next, texts[next] ?? ''));
  };
  const kinds = everyKind.filter((one) => one !== 'simulator' || offersSimulator);

  return (
    <div className="terminal-form">
      <fieldset className="terminal-kinds" disabled={terminalFixed !== undefined}>
        <legend>{t('terminalForm.how')}</legend>
        <div className="terminal-kind-row">
          {kinds.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name={name} checked={kind === one} onChange={() => setKind(one)} />
              <span>
                <strong>{t(`terminalForm.kind.${one}`)}</strong>
                <span className="choice-text">{t(`terminalForm.kindText.${one}`)}</span>
              </span>
            </label>
          ))}
        </div>
        {terminalFixed !== undefined && (
          <p className="field-hint">{t('terminalForm.fixed', { by: terminalFixed })}</p>
        )}
      </fieldset>

      {kind === 'serial' && (
        <SerialPorts
          value={value}
          path={text}
          onPath={(path) => setTerminal(addressOf('serial', path))}
          disabled={terminalFixed !== undefined}
          problem={text === '' ? null : (problems['terminal'] ?? null)}
        />
      )}
      {kind === 'tcp' && (
        <NetworkAddress
          text={text}
          onText={(next) => setTerminal(addressOf('tcp', next))}
          disabled={terminalFixed !== undefined}
          problem={problems['terminal'] ?? null}
        />
      )}

      {kind !== null && kind !== 'simulator' && (
        <>
          <div className="terminal-fields">
            <Field
              label={t('terminalForm.protocol')}
              hint={hintOf('protocol', t('terminalForm.protocolHint'))}
              problem={problems['protocol'] ?? null}
            >
              {(tie) => (
                <select
                  {...tie}
                  value={value.protocol}
                  disabled={fixedBy('protocol') !== undefined}
                  onChange={({ target }) => {
                    const chosen = protocols.find((one) => one === target.value);
                    if (chosen !== undefined) onChange(withProtocol(value, chosen));
                  }}
                >
                  {protocols.map((protocol) => (
                    <option key={protocol} value={protocol}>
                      {t(`terminalForm.protocols.${protocol}`)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            {value.protocol === 'zvt' && (
              <Field
                label={t('terminalForm.password')}
                hint={hintOf(
                  'zvt.password',
                  t(passwordSet ? 'terminalForm.passwordKept' : 'terminalForm.passwordHint'),
                )}
                problem={problems['zvt.password'] ?? null}
              >
                {(tie) => (
                  <input
                    {...tie}
                    className="mono"
                    value={value.zvt.password ?? ''}
                    placeholder={passwordSet ? '••••••' : '000000'}
                    disabled={fixedBy('zvt.password') !== undefined}
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={6}
                    onChange={({ target }) =>
                      onChange({
                        ...value,
                        zvt: { ...value.zvt, password: target.value === '' ? null : target.value },
                      })
                    }
                  />
                )}
              </Field>
            )}
            <Field
              label={t('terminalForm.currency')}
              hint={hintOf('currency', t('terminalForm.currencyHint'))}
              problem={problems['currency'] ?? null}
            >
              {(tie) => (
                <select
                  {...tie}
                  value={value.currency}
                  disabled={fixedBy('currency') !== undefined}
                  onChange={({ target }) =>
                    onChange({ ...value, currency: currencySchema.parse(target.value) })
                  }
                >
                  {currencySchema.options.map((currency) => (
                    <option key={currency}>{currency}</option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <AdvancedOptions
            value={value}
            onChange={onChange}
            problems={problems}
            fixedBy={fixedBy}
            serial={kind === 'serial'}
          />
          <ConnectionTest value={value} ready={text !== '' && Object.keys(problems).length === 0} />
        </>
      )}
    </div>
  );
}

/** Name or number of the terminal in the network. The usual port is added; it need not be written. */
function NetworkAddress({
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
