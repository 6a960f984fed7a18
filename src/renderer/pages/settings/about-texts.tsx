/** What is new in this version, and whose code is in it: texts that the build has made, shown as they are. */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Licences, WhatsNew } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty } from '../../components/notices.tsx';
import { WithCommands } from '../../components/with-commands.tsx';
import { useFormats } from '../../messages/formats.ts';
import { useBuildText } from '../../store/build-texts.ts';
import { useConsoleState } from '../../store/console-context.tsx';

type Shown = 'whatsNew' | 'licences';

export function AboutTexts() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  return (
    <div className="about-texts">
      <Button onClick={() => setShown('whatsNew')}>{t('settings.about.whatsNew')}</Button>
      <Button onClick={() => setShown('licences')}>{t('settings.about.licences')}</Button>
      {shown === 'whatsNew' && <WhatsNewDialog onClose={close} />}
      {shown === 'licences' && <LicencesDialog onClose={close} />}
    </div>
  );
}

function WhatsNewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const text = useBuildText('whatsNew');
  return (
    <TextDialog title={t('settings.about.whatsNew')} onClose={onClose} text={text}>
      {(sections) => sections.map((section) => <Section key={section.version} section={section} />)}
    </TextDialog>
  );
}

function Section({ section: { version, day, groups } }: { section: WhatsNew[number] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="whats-new">
      <header>
        <h3>
          {version === null ? t('settings.about.unreleased') : t('settings.about.versionOf', { version })}
        </h3>
        {day !== null && <p className="calm">{formats.day(`${day}T12:00`)}</p>}
      </header>
      {groups.map(({ kind, items }) => (
        <section key={kind}>
          <h4>{t(`settings.about.changes.${kind}`)}</h4>
          <ul lang="en">
            {items.map((item) => (
              <li key={item}>
                <WithCommands text={item} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function LicencesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { host } = useConsoleState();
  const text = useBuildText('licences');
  return (
    <TextDialog title={t('settings.about.licences')} onClose={onClose} text={text}>
      {({ own, others }: Licences) => (
        <>
          <Licence title={t('settings.about.ownLicence')} text={own} />
          <p>{t('settings.about.othersLicences')}</p>
          {host === 'desktop' && <p>{t('settings.about.runtimeLicences')}</p>}
          <div>
            {others.map(({ packages, text }) => (
              <Licence key={packages[0]} title={<Packages names={packages} />} text={text} />
            ))}
          </div>
        </>
      )}
    </TextDialog>
  );
}

function Licence({ title, text }: { title: ReactNode; text: string }) {
  return (
    <details className="licence">
      <summary>{title}</summary>
      <pre lang="en">{text}</pre>
    </details>
  );
}

function Packages({ names }: { names: string[] }) {
  return names.map((name) => (
    <span key={name} className="licence-package" lang="en">
      {name}
    </span>
  ));
}

function TextDialog<T>({
  title,
  onClose,
  text: { data, failed, retry },
  children,
}: {
  title: string;
  onClose: () => void;
  text: { data: T | null; failed: boolean; retry: () => void };
  children: (data: T) => ReactNode;
}) {
  const { t, i18n } = useTranslation();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      actions={
        <Button look="primary" onClick={onClose}>
          {t('app.close')}
        </Button>
      }
    >
      {failed && (
        <Empty
          title={t('settings.about.textMissing')}
          action={<Button onClick={retry}>{t('app.retry')}</Button>}
        />
      )}
      {!failed && data === null && <Empty title={t('app.loading')} />}
      {data !== null && (
        <>
          {!i18n.language.startsWith('en') && <p className="calm">{t('settings.about.inEnglish')}</p>}
          {children(data)}
        </>
      )}
    </Dialog>
  );
}
