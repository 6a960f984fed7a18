/** Help: why it does not work, what the states mean, and the keys. Each has an address of its own. */
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../components/terminal-choice/index.ts';
import { href, useRoute } from '../../store/route.ts';
import { DiagnosisView } from './diagnosis-view.tsx';
import { StatesView } from './states-view.tsx';
import './help.css';

const sections = { why: DiagnosisView, states: StatesView } as const;
type Section = keyof typeof sections;
const sectionNames = Object.keys(sections) as Section[];

export function HelpPage() {
  const { t } = useTranslation();
  const { id } = useRoute();
  const current = sectionNames.find((name) => name === id) ?? 'why';
  const View = sections[current];
  const title = { why: t('diagnosis.why'), states: t('help.statesTitle') };
  return (
    <div className="help">
      <div className="page-head">
        {current === 'why' ? <PageTitle title={t('pages.help')} /> : <h1>{t('pages.help')}</h1>}
        <nav className="help-sections" aria-label={t('help.sections')}>
          {sectionNames.map((name) => (
            <a
              key={name}
              href={name === 'why' ? href('help') : href('help', name)}
              aria-current={name === current ? 'page' : undefined}
            >
              {title[name]}
            </a>
          ))}
        </nav>
      </div>
      <View />
    </div>
  );
}
