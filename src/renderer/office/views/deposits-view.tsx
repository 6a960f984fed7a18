/** Where the money of the closed batches is: what has not come, the worst first, and what nobody can explain. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DepositEntryView, DepositList, DepositView } from '../../../contract/office-deposits.ts';
import { mayActAs, type ShopSummary } from '../../../contract/office-page.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Empty } from '../../components/notices.tsx';
import { useDayText } from '../../components/money-status.tsx';
import { WithCommands } from '../../components/with-commands.tsx';
import { useFormats } from '../../messages/formats.ts';
import { AddStatement } from '../parts/add-statement.tsx';
import { DepositTable } from '../parts/deposit-table.tsx';
import { NotThere } from '../parts/refused.tsx';
import { ShopField, useShops } from '../parts/shop-field.tsx';
import { SettleDialog, type Settled } from '../parts/settle-dialog.tsx';
import { UnexplainedTable } from '../parts/unexplained-table.tsx';
import { goToView, useOfficeRoute } from '../route.ts';
import { useAsked, useOffice } from '../session.tsx';

/** One request is a list of several hundred. */
const everyMs = 5_000;

export function DepositsView() {
  const { t } = useTranslation();
  const { session } = useOffice();
  const { query } = useOfficeRoute();
  const late = query.get('show') !== 'all';
  const simulated = query.get('simulated') === 'true';
  const shopId = query.get('shopId');
  const question = new URLSearchParams({
    late: String(late),
    simulated: String(simulated),
    ...(shopId === null ? {} : { shop: shopId }),
  });
  const asked = useAsked<DepositList>(`/deposits?${question.toString()}`, { everyMs });
  const [settling, setSettling] = useState<Settled | null>(null);
  const mayAct = mayActAs(session.role, 'manager');
  /** What is left as it is stays in the address. */
  const go = (changed: Record<string, string | null>) => {
    const wanted = { ...Object.fromEntries(query), ...changed };
    goToView(
      'deposits',
      undefined,
      Object.fromEntries(
        Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
    );
  };
  const list = asked.data;
  const settle = (deposit: DepositView) => setSettling({ deposit, entries: list?.entries ?? [] });
  const settleEntry = (entry: DepositEntryView) => setSettling({ entry });

  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.deposits')}</h1>
      </div>
      {mayAct && <AddStatement onAdded={asked.retry} />}
      <div className="toolbar deposit-filter">
        <div role="group" aria-label={t('office.deposits.show')} className="state-counts">
          {(['late', 'all'] as const).map((show) => (
            <button
              key={show}
              type="button"
              aria-pressed={late === (show === 'late')}
              onClick={() => go({ show: show === 'all' ? show : null })}
            >
              <span>{t(`office.deposits.only.${show}`)}</span>
            </button>
          ))}
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={simulated}
            onChange={({ target }) => go({ simulated: target.checked ? 'true' : null })}
          />
          <span>{t('office.deposits.simulated')}</span>
        </label>
        <ShopFilter
          shopId={shopId}
          name={query.get('shop') ?? ''}
          onChoose={(chosen) => go({ shopId: chosen?.shopId ?? null, shop: chosen?.name ?? null })}
        />
      </div>
      {list === null ? (
        <NotThere asked={asked} />
      ) : list.rules === 'missing' ? (
        <Empty title={t('office.deposits.noRules')}>
          <WithCommands text={t('office.deposits.noRulesMore')} />
        </Empty>
      ) : (
        <Lists
          list={list}
          late={late}
          ofOneShop={shopId !== null}
          onSettle={mayAct ? settle : null}
          onSettleEntry={mayAct ? settleEntry : null}
        />
      )}
      {settling !== null && (
        <SettleDialog
          settled={settling}
          onClose={() => setSettling(null)}
          onDone={() => {
            setSettling(null);
            asked.retry();
          }}
        />
      )}
    </>
  );
}

function ShopFilter({
  shopId,
  name,
  onChoose,
}: {
  /** Null: all shops. */
  shopId: string | null;
  /** As the address has it. */
  name: string;
  onChoose: (chosen: ShopSummary | null) => void;
}) {
  const { t } = useTranslation();
  const { shops, named } = useShops();
  const chosen = shops.find((shop) => shop.shopId === shopId)?.name ?? name;
  const [typed, setTyped] = useState(chosen);
  const [shown, setShown] = useState(chosen);
  const [tried, setTried] = useState(false);
  // Another address was opened.
  if (chosen !== shown) {
    setShown(chosen);
    if (chosen.toLowerCase() !== typed.trim().toLowerCase()) setTyped(chosen);
  }
  const choose = (wanted: string) => {
    const found = named(wanted);
    if (wanted.trim() === '' ? shopId !== null : found !== null && found.shopId !== shopId) onChoose(found);
  };
  return (
    <form
      className="deposit-shop"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        choose(typed);
      }}
    >
      <ShopField
        id="deposit-shops"
        isSearch
        label={t('office.deposits.ofShop')}
        problem={
          tried && typed.trim() !== '' && named(typed) === null ? t('office.search.shopUnknown') : null
        }
        shops={shops}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setTried(false);
          // Chosen from the list, typed to its end, or taken out again.
          choose(value);
        }}
      />
    </form>
  );
}

function Lists({
  list: { deposits, entries, accounts, looks, more },
  late,
  ofOneShop,
  onSettle,
  onSettleEntry,
}: {
  list: DepositList;
  late: boolean;
  /** What nobody can explain is no shop's. */
  ofOneShop: boolean;
  onSettle: ((deposit: DepositView) => void) | null;
  onSettleEntry: ((entry: DepositEntryView) => void) | null;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  // The office lists settled ones only where all is shown.
  const unexplained = entries.filter((entry) => entry.unexplained || entry.settled_by !== null);
  return (
    <>
      {looks.map(
        ({ merchant, trouble }) =>
          trouble !== null && (
            <p key={merchant} className="note note-bad">
              <strong>{merchant}</strong>: <BridgeText text={trouble} />
            </p>
          ),
      )}
      <section className="office-section" aria-labelledby="deposits">
        <h2 id="deposits">{t('office.deposits.batches')}</h2>
        {deposits.length === 0 ? (
          <p className="calm">{t(late ? 'office.deposits.noneLate' : 'office.deposits.none')}</p>
        ) : (
          <DepositTable deposits={deposits} onSettle={onSettle} />
        )}
        {more && (
          <p className="calm">{t('office.deposits.more', { shown: formats.number(deposits.length) })}</p>
        )}
      </section>
      {!ofOneShop && (
        <section className="office-section" aria-labelledby="unexplained">
          <h2 id="unexplained">{t('office.deposits.unexplained')}</h2>
          {unexplained.length === 0 ? (
            <p className="calm">{t('office.deposits.noneUnexplained')}</p>
          ) : (
            <UnexplainedTable entries={unexplained} onSettle={onSettleEntry} />
          )}
        </section>
      )}
      <section className="office-section" aria-labelledby="accounts">
        <h2 id="accounts">{t('office.deposits.accounts')}</h2>
        <ul className="deposit-accounts">
          {accounts.map(({ merchant, account, from, until }) => (
            <li key={`${merchant} ${account}`}>
              <strong>{account}</strong> <span className="calm">· {merchant} · </span>
              {from === null || until === null
                ? t('office.deposits.noStatement')
                : t('office.deposits.statements', { from: dayText(from), until: dayText(until) })}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
