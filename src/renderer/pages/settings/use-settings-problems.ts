/** What is wrong with settings, in the window's language: what the bridge would refuse, and what it has refused. */
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { settings } from '../../../contract/configuration.ts';
import { settingsSchema, type ConsoleRefusal, type Settings } from '../../../contract/console/index.ts';
import { terminalValueOf, useTerminalProblems, type Problems } from '../../components/terminal-form/index.ts';

const originsSchema = settingsSchema.shape.bridge.shape.allowedOrigins;

/** `others`: the refusal, unless all that it says stands at a field. */
export function useSettingsProblems(
  wanted: Settings,
  refusal: ConsoleRefusal | null,
  secretsSet: readonly string[],
): { problems: Problems; others: ConsoleRefusal | null } {
  const { t } = useTranslation();
  const ofTerminal = useTerminalProblems(terminalValueOf(wanted.bridge), secretsSet);
  const checked = settingsSchema.safeParse(wanted);
  const keys = (checked.error?.issues ?? []).map(({ path }) => keyOf(path.join('.')));
  const words = (key: string): string | null => {
    const setting = settings.find((one) => one.key === key);
    if (setting === undefined) return null;
    const { console, range } = setting;
    if (console?.problem !== undefined) return t(console.problem as ParseKeys);
    if (ofTerminal[key] !== undefined) return ofTerminal[key];
    if (range === null) return null;
    const { minimum, maximum, whole } = range;
    return t(whole ? 'settings.problem.wholeNumber' : 'settings.problem.number', { minimum, maximum });
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

/** Those that have a place on the page to show a problem at. */
const fields = new Set(
  settings.flatMap(({ key, console }) => (console === null || console.section === null ? [] : [key])),
);

/** The contract's path without the part that all have: "bridge.port" is "port". */
function keyOf(path: string): string {
  return path.replace(/^bridge\./, '').replace(/\.\d+$/, '');
}
