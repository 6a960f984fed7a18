/** Which entries are the money of one batch, or are not. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MoneyEntry, MoneyOfBatch, MoneyPartOfBatch } from '../../../contract/console/index.ts';
import { useDayText } from '../../components/money-status.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useFormats } from '../../messages/formats.ts';
import { ChosenSum, DecisionForm } from './decision-form.tsx';
import { useBatchNames } from './money-words.tsx';

/** What somebody wants to decide of a part of a batch; `entryId` is chosen already. */
export interface Wish {
  kind: 'match' | 'unmatch';
  part: MoneyPartOfBatch;
  entryId: string | null;
}

export function MatchEntries({
  wish: { kind, part, entryId },
  money: { batch, entries, unexplained },
  onClose,
}: {
  wish: Wish;
  money: MoneyOfBatch;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayText();
  const namesOf = useBatchNames();
  const { match, acquirer, possible, ruledOut, expectedMinor } = part;
  const matched = match?.entryIds ?? [];
  const offered =
    kind === 'unmatch'
      ? [...matched, ...possible]
      : [...possible, ...unexplained, ...matched, ...ruledOut.map((one) => one.entryId)];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const shown = [...new Set(offered)].flatMap((id): MoneyEntry[] => {
    const entry = byId.get(id);
    return entry === undefined ? [] : [entry];
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(entryId !== null ? [entryId] : kind === 'unmatch' ? matched : []),
  );
  const picked = shown.filter(({ id }) => chosen.has(id));
  const others = picked
    .filter(({ id }) => !possible.includes(id) && !matched.includes(id))
    .flatMap(({ possibleFor }) => possibleFor);
  const isChosen = (reason: (typeof ruledOut)[number]['why']) =>
    ruledOut.some(({ entryId: id, why }) => why === reason && chosen.has(id));
  const doubt =
    others.length > 0
      ? t('money.perhapsOther', { batches: namesOf(others) })
      : isChosen('of-another')
        ? t('money.countedForOther')
        : isChosen('names-another')
          ? t('money.namesOther')
          : null;
  const title =
    kind === 'unmatch'
      ? t('money.unmatchTitle')
      : batch.number === null
        ? t('money.whichEntries')
        : t('money.whichMoney', { number: batch.number });
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p>{t(kind === 'match' ? 'money.matchMeans' : 'money.unmatchMeans')}</p>
      <DecisionForm
        decision={
          picked.length === 0 || acquirer === null
            ? null
            : { kind, batchIds: [batch.id], acquirer, entryIds: picked.map(({ id }) => id) }
        }
        legend={t(kind === 'match' ? 'money.whichEntries' : 'money.whichNot')}
        choices={shown.map((entry) => ({
          id: entry.id,
          label: `${dayText(entry.date)} · ${entry.remark === '' ? entry.sender : entry.remark}`,
          amount: formats.money(entry.amountMinor, entry.currency),
        }))}
        chosen={chosen}
        onChoose={setChosen}
        sum={
          kind === 'match' &&
          picked.length > 0 && (
            <ChosenSum
              entriesMinor={picked.reduce((sum, { amountMinor }) => sum + amountMinor, 0)}
              expectedMinor={expectedMinor}
              currency={batch.currency}
              doubt={doubt}
            />
          )
        }
        onDone={onClose}
      />
    </Dialog>
  );
}
