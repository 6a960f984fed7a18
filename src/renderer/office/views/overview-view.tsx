/** All shops, the worst first: how many are in each state, and a map of them that stays quick with ten thousand. */
import { KeyRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayActAs, shopStates, type ShopSummary } from '../../../contract/office-page.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Empty } from '../../components/notices.tsx';
import { WithCommands } from '../../components/with-commands.tsx';
import { useFormats } from '../../messages/formats.ts';
import { CodeDialog } from '../parts/code-dialog.tsx';
import { NotThere } from '../parts/refused.tsx';
import { ShopMap } from '../parts/shop-map.tsx';
import { StateMark, toneOf, type ShopGroup } from '../parts/state-mark.tsx';
import { useOverview } from '../parts/use-overview.ts';
import { goToView, useOfficeRoute } from '../route.ts';
import { useOffice } from '../session.tsx';

export function OverviewView() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { session } = useOffice();
  const asked = useOverview();
  const { query } = useOfficeRoute();
  const state = groups.find((one) => one === query.get('state')) ?? null;
  const [name, setName] = useState('');
  const [making, setMaking] = useState(false);

  const shops = asked.data?.shops ?? null;
  // Where there is nothing else, the trials have the states themselves.
  const isTrial = shops !== null && isTrialChain(shops);
  const fitting = useMemo(() => {
    const wanted = name.trim().toLowerCase();
    return (shops ?? []).filter(
      (shop) =>
        (state === null || groupOf(shop, isTrial) === state) && shop.name.toLowerCase().includes(wanted),
    );
  }, [shops, isTrial, state, name]);

  const show = (wanted: ShopGroup | null) =>
    goToView('overview', undefined, wanted === null ? {} : { state: wanted });

  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.overview')}</h1>
        {mayActAs(session.role, 'manager') && (
          <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setMaking(true)}>
            {t('office.code.button')}
          </Button>
        )}
      </div>
      {making && <CodeDialog onClose={() => setMaking(false)} />}
      {shops === null ? (
        <NotThere asked={asked} />
      ) : shops.length === 0 ? (
        <Empty title={t('office.overview.none')}>
          <WithCommands text={t('office.overview.noneMore')} />
        </Empty>
      ) : (
        <>
          {isTrial && <p className="banner banner-simulator office-trial">{t('banner.simulator')}</p>}
          <StateCounts shops={shops} isTrial={isTrial} shown={state} onShow={show} />
          <div className="toolbar office-overview-filter">
            <Field label={t('office.overview.filter')}>
              {(tie) => (
                <input
                  {...tie}
                  type="search"
                  data-search
                  value={name}
                  onChange={({ target }) => setName(target.value)}
                />
              )}
            </Field>
            <p className="calm" role="status">
              {t('office.overview.shown', {
                count: fitting.length,
                shown: formats.number(fitting.length),
              })}
            </p>
          </div>
          {fitting.length === 0 ? (
            <Empty
              title={t('office.overview.noneFits')}
              action={
                <Button
                  onClick={() => {
                    setName('');
                    show(null);
                  }}
                >
                  {t('office.overview.showAll')}
                </Button>
              }
            />
          ) : (
            <ShopMap shops={fitting} marksTrials={!isTrial} />
          )}
        </>
      )}
    </>
  );
}

const groups: readonly ShopGroup[] = [...shopStates, 'trial'];

function isTrialChain(shops: readonly ShopSummary[]): boolean {
  const joined = shops.filter(({ state }) => state !== 'not_joined');
  return joined.length > 0 && joined.every(({ simulated }) => simulated);
}

function groupOf({ state, simulated }: ShopSummary, isTrial: boolean): ShopGroup {
  return simulated && !isTrial ? 'trial' : state;
}

/** How many shops are in each state; each shows those alone. */
function StateCounts({
  shops,
  isTrial,
  shown,
  onShow,
}: {
  shops: readonly ShopSummary[];
  isTrial: boolean;
  shown: ShopGroup | null;
  onShow: (state: ShopGroup | null) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const counts = useMemo(() => Map.groupBy(shops, (shop) => groupOf(shop, isTrial)), [shops, isTrial]);
  return (
    <div role="group" aria-label={t('office.overview.states')} className="state-counts">
      <button type="button" aria-pressed={shown === null} onClick={() => onShow(null)}>
        <strong>{formats.number(shops.length)}</strong>
        <span>{t('office.overview.all')}</span>
      </button>
      {groups
        .filter((state) => counts.has(state) || state === shown)
        .map((state) => (
          <button
            key={state}
            type="button"
            data-state={state}
            aria-pressed={state === shown}
            title={t(`office.stateMeaning.${state}`)}
            onClick={() => onShow(state === shown ? null : state)}
          >
            <strong className={`tone-${toneOf(state)}`}>
              <StateMark state={state} />
              {formats.number(counts.get(state)?.length ?? 0)}
            </strong>
            <span>{t(`office.state.${state}`)}</span>
          </button>
        ))}
    </div>
  );
}
