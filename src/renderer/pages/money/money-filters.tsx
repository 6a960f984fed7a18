/** Which batches are listed: all, what is open, what needs somebody; of one terminal or of all. It is in the address. */
import { useTranslation } from 'react-i18next';
import { moneyRequestSchema, type FoundMoney, type MoneyRequest } from '../../../contract/console/index.ts';
import { useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { goTo } from '../../store/route.ts';

const choices = moneyRequestSchema.shape.only.options;

export function requestIn(query: URLSearchParams): MoneyRequest {
  const only = moneyRequestSchema.shape.only.safeParse(query.get('only')).data ?? 'all';
  return { only, onTerminal: query.get('on') };
}

function show({ only, onTerminal }: MoneyRequest): void {
  goTo('money', undefined, {
    ...(only === 'all' ? {} : { only }),
    ...(onTerminal === null ? {} : { on: onTerminal }),
  });
}

export function MoneyFilters({
  money: { needsPerson, terminals },
  request,
}: {
  money: FoundMoney;
  request: MoneyRequest;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const titleOf = useTerminalTitle();
  return (
    <div className="toolbar money-filters">
      <div className="money-choices" role="group" aria-label={t('money.show')}>
        {choices.map((only) => (
          <button
            key={only}
            type="button"
            className="button"
            aria-pressed={request.only === only}
            onClick={() => show({ ...request, only })}
          >
            {t(`money.only.${only}`)}
            {only === 'needs_person' && needsPerson > 0 && ` (${formats.number(needsPerson)})`}
          </button>
        ))}
      </div>
      {(terminals.length > 1 || request.onTerminal !== null) && (
        <select
          aria-label={t('terminal.title')}
          value={request.onTerminal ?? ''}
          onChange={({ target }) =>
            show({ ...request, onTerminal: target.value === '' ? null : target.value })
          }
        >
          <option value="">{t('money.allTerminals')}</option>
          {terminals.map((name) => (
            <option key={name} value={name}>
              {titleOf(name) ?? name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
