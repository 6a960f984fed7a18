import { useTranslation } from 'react-i18next';
import { bridgeSettingsSchema } from '../../../contract/console/index.ts';
import { addressParts, type TerminalValue } from './terminal-value.ts';

/** Words for a person by the setting's key ("terminal", "serial.baudRate", "zvt.password"). Empty: all is well. */
export type Problems = Readonly<Record<string, string>>;

const schema = bridgeSettingsSchema.pick({ terminal: true, serial: true, currency: true, zvt: true });

/**
 * What is wrong with `value`, in the window's language: what the bridge itself would refuse. A terminal that is not
 * chosen yet is no problem.
 */
export function useTerminalProblems(value: TerminalValue): Problems {
  const { t } = useTranslation();
  const checked = schema.safeParse(value);
  if (checked.success) return {};
  const messageOf = (key: string) => {
    switch (key) {
      case 'terminal':
        return addressParts(value.terminal).kind === 'serial'
          ? t('terminalForm.problem.serial')
          : t('terminalForm.problem.tcp');
      case 'zvt.password':
        return t('terminalForm.problem.password');
      case 'serial.baudRate':
        return t('terminalForm.problem.baudRate');
      default:
        return t('terminalForm.problem.other');
    }
  };
  const keys = checked.error.issues.map(({ path }) => path.join('.'));
  return Object.fromEntries(keys.map((key) => [key, messageOf(key)]));
}
