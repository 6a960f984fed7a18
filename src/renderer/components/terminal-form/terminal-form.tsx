/** Which terminal, on which line, with which password. Edits a value that its user keeps; saves nothing itself. */
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencySchema } from '../../../contract/money.ts';
import { protocolOf } from '../../../contract/protocols.ts';
import type { SettingsView } from '../../../contract/console/index.ts';
import { Field } from '../field.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { AdvancedOptions } from './advanced-options.tsx';
import { ProtocolFields } from './protocol-fields.tsx';
import { FindTerminal } from './find-terminal.tsx';
import { SerialPorts } from './serial-ports.tsx';
import {
  addressOf,
  addressParts,
  protocolLabel,
  protocols,
  withFound,
  withProtocol,
  type TerminalValue,
  type Problems,
  usualPort,
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
  /** The secrets that are stored; their fields then say that an empty one leaves it. */
  secretsSet?: readonly string[];
  /** Offers the simulator beside cable and network. */
  offersSimulator?: boolean;
}

const everyKind = ['serial', 'network', 'simulator'] as const;

export function TerminalForm(props: TerminalFormProps) {
  const { value, onChange, problems, fixed, secretsSet = [], offersSimulator = true } = props;
  const { t, i18n } = useTranslation();
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
    setTerminal(addressOf(next, texts[next] ?? '', value.protocol));
  };
  // One that its terminals do not take stays while it is the chosen one.
  const taken = protocolOf(value.protocol).currencies;
  const currencies = currencySchema.options.filter(
    (one) => taken === undefined || taken.includes(one) || one === value.currency,
  );
  const kinds = everyKind.filter((one) => one !== 'simulator' || offersSimulator);

  return (
    <div className="terminal-form">
      <FindTerminal
        disabled={terminalFixed !== undefined || fixedBy('protocol') !== undefined}
        onUse={(found) => onChange(withFound(value, found))}
      />
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
          path={text}
          onPath={(path) => setTerminal(addressOf('serial', path, value.protocol))}
          disabled={terminalFixed !== undefined}
          problem={text === '' ? null : (problems['terminal'] ?? null)}
        />
      )}
      {kind === 'network' && (
        <NetworkAddress
          protocol={value.protocol}
          text={text}
          onText={(next) => setTerminal(addressOf('network', next, value.protocol))}
          disabled={terminalFixed !== undefined}
          problem={problems['terminal'] ?? null}
        />
      )}

      {kind !== null && kind !== 'simulator' && (
        <>
          <div className="terminal-fields terminal-fields-main">
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
                      {protocolLabel(protocol, i18n.language)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <ProtocolFields
              advanced={false}
              value={value}
              onChange={onChange}
              problems={problems}
              fixedBy={fixedBy}
              secretsSet={secretsSet}
            />
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
                  {currencies.map((currency) => (
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
  protocol,
  text,
  onText,
  disabled,
  problem,
}: {
  protocol: TerminalValue['protocol'];
  /** With its port, or not right yet. */
  text: string;
  onText: (text: string) => void;
  disabled: boolean;
  problem: string | null;
}) {
  const { t } = useTranslation();
  const port = usualPort(protocol);
  // Under the fingers stays what was written. Nothing may move when the field is left: a click would miss its button.
  const [written, setWritten] = useState(text);
  const shown = withUsualPort(protocol, written) === text ? written : text;
  return (
    <Field
      label={t('terminalForm.address')}
      hint={port === null ? t('terminalForm.addressHintNoPort') : t('terminalForm.addressHint', { port })}
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
            onText(next);
          }}
          onBlur={() => setWritten(text)}
        />
      )}
    </Field>
  );
}
