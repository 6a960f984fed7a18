/** Makes a code with which one bridge can join a shop, and shows it once. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, CopyButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { useFormats } from '../../messages/formats.ts';
import { askOffice } from '../office-client.ts';
import { refusalOf } from '../session.tsx';
import { RefusedText } from './refused.tsx';

export function CodeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [shop, setShop] = useState('');
  const [tried, setTried] = useState(false);
  const make = useMutation({
    mutationFn: (name: string) => askOffice<{ code: string; expiresAt: string }>('/codes', { shop: name }),
  });
  const missing = shop.trim() === '';
  if (make.data !== undefined) {
    const { code, expiresAt } = make.data;
    const command = `tillbridge bridge --office ${window.location.origin} --office-code ${code}`;
    return (
      <Dialog
        title={t('office.code.title')}
        onClose={onClose}
        actions={<Button onClick={onClose}>{t('app.close')}</Button>}
      >
        <p>{t('office.code.made', { shop: make.variables, until: formats.dateTime(expiresAt) })}</p>
        <p className="office-code mono">{code}</p>
        <p>{t('office.code.how')}</p>
        <p className="mono office-command">{command}</p>
        <div>
          <CopyButton text={command} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('office.code.title')} onClose={onClose}>
      <form
        className="office-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!missing) make.mutate(shop.trim());
        }}
      >
        <Field
          label={t('office.code.shop')}
          hint={t('office.code.shopHint')}
          problem={tried && missing ? t('office.code.shopNeeded') : null}
        >
          {(tie) => (
            <input
              {...tie}
              required
              maxLength={200}
              value={shop}
              onChange={({ target }) => setShop(target.value)}
            />
          )}
        </Field>
        <RefusedText refusal={make.error === null ? null : refusalOf(make.error)} />
        <div className="dialog-actions office-actions">
          <Button type="submit" look="primary" busy={make.isPending}>
            {t('office.code.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
