/** How much is where: what needs somebody, what is on its way, what has come, and how much of it is missing or too much. */
import { useTranslation } from 'react-i18next';
import { CircleCheck, Hand } from 'lucide-react';
import type { FoundMoney, MoneyState } from '../../../contract/console/index.ts';
import { MoneyStatus } from '../../components/money-status.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';

/** In the order of what somebody wants to know first. */
const order: readonly MoneyState[] = ['late', 'short', 'over', 'unclear', 'waiting', 'arrived'];

export function MoneySums({ money: { sums, needsPerson } }: { money: FoundMoney }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <p
        className={`status status-large tone-${needsPerson > 0 ? 'warn' : 'good'}`}
        data-needs-person={needsPerson}
      >
        <Mark
          large
          shape={needsPerson > 0 ? { icon: Hand, tone: 'warn' } : { icon: CircleCheck, tone: 'good' }}
        />
        <span>
          {needsPerson > 0 ? t('money.needsPerson', { count: needsPerson }) : t('money.needsNobody')}
        </span>
      </p>
      <dl className="money-sums">
        {order.map((state) => {
          const own = sums.filter((sum) => sum.state === state);
          if (own.length === 0) return null;
          const inAll = (minorOf: (sum: (typeof own)[number]) => number) =>
            own.map((sum) => formats.money(minorOf(sum), sum.currency)).join(' + ');
          const expected = inAll((sum) => sum.expectedMinor);
          const isWrong = state === 'short' || state === 'over';
          const count = own.reduce((all, sum) => all + sum.count, 0);
          return (
            <div key={state}>
              <dt>
                <MoneyStatus state={state} />
              </dt>
              <dd>
                <strong>
                  {isWrong ? inAll(({ differenceMinor }) => Math.abs(differenceMinor)) : expected}
                </strong>{' '}
                <span className="calm">{t('money.count', { count, number: formats.number(count) })}</span>
                {isWrong && (
                  <span className="money-below calm">{t('money.ofExpected', { amount: expected })}</span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
