/** What hardly anybody changes: the serial line's form, and of the protocol's own settings those that say so. */
import { useTranslation } from 'react-i18next';
import { bridgeSettingsSchema } from '../../../contract/console/index.ts';
import { Field } from '../field.tsx';
import { ProtocolFields } from './protocol-fields.tsx';
import type { TerminalValue, Problems } from './terminal-value.ts';

const serialShape = bridgeSettingsSchema.shape.serial.unwrap().shape;
const parities = serialShape.parity.options;
/** Speeds that terminals use; others are allowed, and are typed. */
const baudRates = [9_600, 19_200, 38_400, 57_600, 115_200];

export function AdvancedOptions({
  value,
  onChange,
  problems,
  fixedBy,
  serial,
}: {
  value: TerminalValue;
  onChange: (value: TerminalValue) => void;
  problems: Problems;
  fixedBy: (key: string) => string | undefined;
  /** The line is a serial one, so its form matters. */
  serial: boolean;
}) {
  const { t } = useTranslation();
  const change = (part: Partial<TerminalValue['serial']>) =>
    onChange({ ...value, serial: { ...value.serial, ...part } });
  const hint = (key: string) => {
    const by = fixedBy(key);
    return by === undefined ? undefined : t('terminalForm.fixed', { by });
  };
  const isFixed = (key: string) => fixedBy(key) !== undefined;
  return (
    <details className="terminal-details">
      <summary>{t('terminalForm.lineDetails')}</summary>
      <p className="field-hint">{t('terminalForm.lineDetailsHint')}</p>
      <div className="terminal-fields">
        {serial && (
          <>
            <Field
              label={t('terminalForm.baudRate')}
              hint={hint('serial.baudRate')}
              problem={problems['serial.baudRate'] ?? null}
            >
              {(tie) => (
                <>
                  <input
                    {...tie}
                    inputMode="numeric"
                    list="terminal-baud-rates"
                    value={Number.isNaN(value.serial.baudRate) ? '' : value.serial.baudRate}
                    disabled={isFixed('serial.baudRate')}
                    onChange={({ target }) =>
                      change({ baudRate: target.value.trim() === '' ? Number.NaN : Number(target.value) })
                    }
                  />
                  <datalist id="terminal-baud-rates">
                    {baudRates.map((rate) => (
                      <option key={rate} value={rate} />
                    ))}
                  </datalist>
                </>
              )}
            </Field>
            <Field
              label={t('terminalForm.dataBits')}
              hint={hint('serial.dataBits')}
              problem={problems['serial.dataBits'] ?? null}
            >
              {(tie) => (
                <select
                  {...tie}
                  value={value.serial.dataBits}
                  disabled={isFixed('serial.dataBits')}
                  onChange={({ target }) => change({ dataBits: target.value === '7' ? 7 : 8 })}
                >
                  <option>7</option>
                  <option>8</option>
                </select>
              )}
            </Field>
            <Field
              label={t('terminalForm.parity')}
              hint={hint('serial.parity')}
              problem={problems['serial.parity'] ?? null}
            >
              {(tie) => (
                <select
                  {...tie}
                  value={value.serial.parity}
                  disabled={isFixed('serial.parity')}
                  onChange={({ target }) => change({ parity: serialShape.parity.parse(target.value) })}
                >
                  {parities.map((parity) => (
                    <option key={parity} value={parity}>
                      {t(`terminalForm.parities.${parity}`)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field
              label={t('terminalForm.stopBits')}
              hint={hint('serial.stopBits')}
              problem={problems['serial.stopBits'] ?? null}
            >
              {(tie) => (
                <select
                  {...tie}
                  value={value.serial.stopBits}
                  disabled={isFixed('serial.stopBits')}
                  onChange={({ target }) => change({ stopBits: target.value === '1' ? 1 : 2 })}
                >
                  <option>1</option>
                  <option>2</option>
                </select>
              )}
            </Field>
          </>
        )}
        <ProtocolFields
          advanced
          value={value}
          onChange={onChange}
          problems={problems}
          fixedBy={fixedBy}
          secretsSet={[]}
        />
      </div>
    </details>
  );
}
