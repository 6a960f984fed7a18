/** What is wrong with settings, in the window's language: what the bridge would refuse, and what it has refused. */
import { useTranslation } from 'react-i18next';
import { settingsSchema, type ConsoleRefusal, type Settings } from '../../../contract/console/index.ts';
import { useTerminalProblems, type Problems } from '../../components/terminal-form/index.ts';

const originsSchema = settingsSchema.shape.bridge.shape.allowedOrigins;

/** `others`: the refusal, unless all that it says stands at a field. */
export function useSettingsProblems(
  settings: Settings,
  refusal: ConsoleRefusal | null,
): { problems: Problems; others: ConsoleRefusal | null } {
  const { t } = useTranslation();
  const ofTerminal = useTerminalProblems(settings.bridge);
  const checked = settingsSchema.safeParse(settings);
  const keys = (checked.error?.issues ?? []).map(({ path }) => keyOf(path.join('.')));
  const words = (key: string): string | null => {
    if (key === 'port') return t('settings.problem.port');
    if (key === 'maxTipPercent') return t('settings.problem.maxTip');
    if (key.startsWith('allowedOrigins')) return t('settings.problem.origin');
    return ofTerminal[key] ?? null;
  };
  const problems: Record<string, string> = { ...ofTerminal };
  for (const key of keys) problems[key] ??= words(key) ?? t('settings.problem.other');

  const refused = refusal?.issues ?? [];
  const atFields = refused.filter(({ path }) => fields.has(keyOf(path)));
  for (const { path, message } of atFields) {
    problems[keyOf(path)] ??=
      refusal?.code === 'settings_fixed' ? t('settings.problem.fixed') : (words(keyOf(path)) ?? message);
  }
  const allAtFields = refused.length > 0 && atFields.length === refused.length;
  return { problems, others: allAtFields ? null : refusal };
}

/** Whether `text` can stand in the list of web pages; null while nothing is written. */
export function useOriginProblem(text: string, known: string[]): string | null {
  const { t } = useTranslation();
  if (text === '') return null;
  if (known.includes(text)) return t('settings.problem.originTwice');
  return originsSchema.safeParse([text]).success ? null : t('settings.problem.origin');
}

/** Those that have a place on the page to say something at. */
const fields = new Set([
  'terminal',
  'currency',
  'port',
  'allowedOrigins',
  'makeReferences',
  'maxTipPercent',
  'logLevel',
  'serial.baudRate',
  'zvt.password',
]);

/** The contract's path without the part that all have: "bridge.port" is "port". */
function keyOf(path: string): string {
  return path.replace(/^bridge\./, '').replace(/\.\d+$/, '');
}
