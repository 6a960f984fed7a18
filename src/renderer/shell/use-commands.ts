/** What can be done now, as commands of the palette. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../locales/index.ts';
import type { AppSettings, ConsoleRefusal, MethodName, RequestOf } from '../../contract/console/index.ts';
import { openMini } from '../mini/browser-window.tsx';
import { useTerminalTitle } from '../components/terminal-choice/index.ts';
import { ofTerminal, stateOf, terminalNames } from '../store/chosen-terminal.ts';
import { useClient, useView } from '../store/console-context.tsx';
import { goTo, pageNames } from '../store/route.ts';

export interface Command {
  id: string;
  label: string;
  /** What kind it is, in a word. */
  hint: string;
  mark?: ReactNode;
  /** It is asked about first, with this question. */
  question?: string;
  /** The words of a refusal, or null when it is done. */
  run: () => Promise<string | null>;
}

const themes = [
  ['light', 'settings.window.light'],
  ['dark', 'settings.window.dark'],
  ['system', 'settings.window.asComputer'],
] as const;

export function useCommands(refusalMessage: (refusal: ConsoleRefusal) => string): Command[] {
  const { t } = useTranslation();
  const client = useClient();
  const { state, settings, connected } = useView();
  const titleOf = useTerminalTitle();

  const go = (run: () => void) => () => {
    run();
    return Promise.resolve(null);
  };
  const invoke =
    <N extends MethodName>(name: N, request: RequestOf<N>) =>
    async () => {
      const result = await client.invoke(name, request);
      return result.ok ? null : refusalMessage(result.refusal);
    };
  const setApp = (change: Partial<AppSettings>) => async () => {
    if (settings === null) return null;
    const { app, bridge } = settings.settings;
    return invoke('saveSettings', { app: { ...app, ...change }, bridge })();
  };

  const pages = pageNames.map((name) => ({
    id: `page-${name}`,
    label: t(`pages.${name}`),
    hint: t('palette.page'),
    run: go(() => goTo(name)),
  }));
  const why = {
    id: 'why',
    label: t('diagnosis.why'),
    hint: t('palette.page'),
    run: go(() => goTo('help')),
  };
  const states = {
    id: 'states',
    label: t('help.statesTitle'),
    hint: t('palette.page'),
    run: go(() => goTo('help', 'states')),
  };
  if (!connected || state === null) return [...pages, why, states];

  const actions: Command[] = [];
  const hint = t('palette.action');
  const { listener, bridge, host } = state;
  if (bridge.kind === 'running' && (listener.kind === 'off' || listener.kind === 'failed'))
    actions.push({ id: 'start', label: t('palette.start'), hint, run: invoke('startListener', {}) });
  if (listener.kind === 'on')
    actions.push({
      id: 'stop',
      label: t('palette.stop'),
      hint,
      question: t('listener.stopConfirm'),
      run: invoke('stopListener', {}),
    });
  for (const name of terminalNames(state)) {
    const { currentOperation } = stateOf(state, name);
    const reference = currentOperation?.reference ?? null;
    if (currentOperation?.kind !== 'sale' || reference === null || currentOperation.cancelRequested) continue;
    const title = titleOf(name);
    const question = t('palette.cancelQuestion', { reference });
    actions.push({
      id: `cancel-${name}`,
      label: title === null ? t('till.cancel') : `${t('till.cancel')} · ${title}`,
      hint,
      question: title === null ? question : `${title}: ${question}`,
      run: invoke('cancelPayment', { reference, ...ofTerminal(name) }),
    });
  }
  const miniCommand = {
    id: 'small-window',
    label: t('settings.smallWindow.open'),
    hint,
    run: async () => ((await openMini()) ? null : t('settings.smallWindow.refused')),
  };
  actions.push(
    ...(host === 'headless' ? [miniCommand] : []),
    { id: 'test', label: t('terminalForm.test'), hint, run: go(() => goTo('settings')) },
    {
      id: 'bundle',
      label: t('log.bundle'),
      hint,
      run: async () => {
        const saved = await client.save({ kind: 'support_bundle' });
        return saved.kind === 'failed' ? t('app.notSaved', { reason: saved.message }) : null;
      },
    },
  );
  const app = settings?.settings.app;
  const looks = themes
    .filter(([theme]) => theme !== app?.theme)
    .map(([theme, key]) => ({
      id: `theme-${theme}`,
      label: `${t('settings.theme')}: ${t(key)}`,
      hint,
      run: setApp({ theme }),
    }));
  const spoken = languages
    .filter(({ code }) => code !== app?.language)
    .map(({ code, name }) => ({
      id: `language-${code}`,
      label: `${t('settings.language')}: ${name}`,
      hint,
      run: setApp({ language: code }),
    }));
  return [...pages, why, states, ...actions, ...looks, ...spoken];
}
