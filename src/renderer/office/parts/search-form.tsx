/** The form of the search: what stands on a receipt, or in the books. What is missing or wrong is said beside its field. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencySchema, type Currency } from '../../../contract/money.ts';
import { transactionStatusSchema } from '../../../contract/operation.ts';
import { Button } from '../../components/button.tsx';
import { TimeField } from '../../components/date-field/index.ts';
import { Field } from '../../components/field.tsx';
import { useFormats } from '../../messages/formats.ts';
import { goToView } from '../route.ts';
import { isEnough, minorOf, usualCurrency, type SearchField, type SearchQuery } from './search-query.ts';
import { ShopField, useShops } from './shop-field.tsx';

/** Made anew for each search, so that it shows what was searched for. */
export function SearchForm({ search }: { search: SearchQuery }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [asked, setAsked] = useState(search);
  const [tried, setTried] = useState(() => !isEnough(search));
  const form = useRef<HTMLFormElement>(null);
  const { shops, named } = useShops();
  const set = (name: SearchField, value: string) => setAsked((last) => ({ ...last, [name]: value }));

  const wantedShop = asked.shop?.trim() ?? '';
  const shop = named(wantedShop);
  const currency = asked.currency ?? usualCurrency;
  const isGiven = (name: SearchField) => (asked[name] ?? '').trim() !== '';
  const given = Object.entries(asked).filter(([, value]) => value.trim() !== '');
  const needsMore = wantedShop === '' && !isEnough(Object.fromEntries(given));
  const problems: Partial<Record<SearchField, string | null>> = {
    cardDigits:
      isGiven('cardDigits') && !/^\d{4}$/.test(asked.cardDigits?.trim() ?? '')
        ? t('office.search.cardDigitsWrong')
        : null,
    approvalCode:
      needsMore && isGiven('cardDigits')
        ? t('office.search.cardNeedsCode')
        : needsMore && isGiven('approvalCode')
          ? t('office.search.needsMore')
          : null,
    status: needsMore && isGiven('status') ? t('office.search.needsMore') : null,
    shop:
      wantedShop !== '' && shop === null && asked.shopId === undefined
        ? t('office.search.shopUnknown')
        : isGiven('receiptNumber') && wantedShop === ''
          ? t('office.search.receiptNeedsShop')
          : null,
    amount:
      isGiven('amount') && minorOf(asked.amount ?? '', currency) === null
        ? t('office.search.amountWrong', { example: formats.decimal(12.5, 2) })
        : null,
  };
  const submit = () => {
    if (Object.values(problems).some((problem) => problem !== null)) {
      flushSync(() => setTried(true));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const shopId = wantedShop === '' ? '' : (shop?.shopId ?? asked.shopId ?? '');
    const wanted = { ...asked, shopId };
    const trimmed = Object.entries(wanted).map(([name, value]): [string, string] => [name, value.trim()]);
    goToView('search', undefined, Object.fromEntries(trimmed.filter(([, value]) => value !== '')));
  };

  const text = (name: Exclude<SearchField, 'from' | 'to'>, label: string, more = {}) => (
    <Field label={label} problem={tried ? (problems[name] ?? null) : null}>
      {(tie) => (
        <input
          {...tie}
          {...more}
          autoComplete="off"
          value={asked[name] ?? ''}
          onChange={({ target }) => set(name, target.value)}
        />
      )}
    </Field>
  );

  return (
    <form
      ref={form}
      className="search-form card"
      role="search"
      aria-label={t('office.search.form')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {text('reference', t('office.search.reference'), { 'data-search': true, maxLength: 256 })}
      {text('cardDigits', t('office.search.cardDigits'), { inputMode: 'numeric', maxLength: 4 })}
      {text('approvalCode', t('office.search.approvalCode'), { maxLength: 64 })}
      {text('receiptNumber', t('office.search.receiptNumber'), { maxLength: 64 })}
      <ShopField
        id="search-shops"
        label={t('office.search.shop')}
        problem={tried ? (problems.shop ?? null) : null}
        shops={shops}
        value={asked.shop ?? ''}
        onChange={(value) =>
          // The id was of another name.
          setAsked(({ shopId: _of, ...last }) => ({ ...last, shop: value }))
        }
      />
      {text('terminalId', t('office.search.terminalId'), { maxLength: 128 })}
      <div className="search-amount">
        {text('amount', t('office.search.amount'), { inputMode: 'decimal' })}
        <Field label={t('office.search.currency')}>
          {(tie) => (
            <select {...tie} value={currency} onChange={({ target }) => set('currency', target.value)}>
              {currencySchema.options.map((one: Currency) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label={t('office.search.status')} problem={tried ? (problems.status ?? null) : null}>
        {(tie) => (
          <select {...tie} value={asked.status ?? ''} onChange={({ target }) => set('status', target.value)}>
            <option value="">{t('office.search.anyStatus')}</option>
            {transactionStatusSchema.options.map((status) => (
              <option key={status} value={status}>
                {t(`status.${status}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TimeField
        label={t('office.search.from')}
        instant={asked.from ?? null}
        withoutTime="first"
        onChange={(instant) => set('from', instant ?? '')}
      />
      <TimeField
        label={t('office.search.to')}
        instant={asked.to ?? null}
        withoutTime="last"
        onChange={(instant) => set('to', instant ?? '')}
      />
      <div className="search-actions">
        <label className="check">
          <input
            type="checkbox"
            checked={asked.simulated === 'true'}
            onChange={({ target }) => set('simulated', target.checked ? 'true' : '')}
          />
          <span>{t('office.search.simulated')}</span>
        </label>
        <Button
          look="quiet"
          onClick={() => {
            // Where nothing was searched for yet, the address stays as it is.
            setAsked({});
            setTried(false);
            goToView('search');
          }}
        >
          {t('office.search.clear')}
        </Button>
        <Button type="submit" look="primary" icon={<Search aria-hidden="true" />}>
          {t('office.search.search')}
        </Button>
      </div>
    </form>
  );
}
