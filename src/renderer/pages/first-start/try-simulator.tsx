import { FlaskConical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';

export function TrySimulator({
  fixedBy,
  busy,
  disabled,
  onTry,
}: {
  /** What has fixed the terminal, so that there is no choice. */
  fixedBy: string | null;
  busy: boolean;
  disabled: boolean;
  onTry: () => void;
}) {
  const { t } = useTranslation();
  return (
    <section className="card first-start-simulator" aria-labelledby="first-start-simulator">
      <h2 id="first-start-simulator">
        <FlaskConical aria-hidden="true" />
        {t('firstStart.try')}
      </h2>
      <p>{t('firstStart.tryText')}</p>
      {fixedBy === null ? (
        <Button look="primary" busy={busy} disabled={disabled} onClick={onTry}>
          {t('firstStart.tryNow')}
        </Button>
      ) : (
        <p className="field-hint">{t('terminalForm.fixed', { by: fixedBy })}</p>
      )}
      <p className="field-hint">{t('firstStart.tryLater')}</p>
    </section>
  );
}
