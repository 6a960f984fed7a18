/** Whose money one entry is: one batch, or several that it pays together. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MoneyEntry, MoneyRow } from '../../../contract/console/index.ts';
import { MoneyStatus, useDayText } from '../../components/money-status.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Empty, Refused } from '../../components/notices.tsx';
import { useTerminalTitle } from '../../components/terminal-choice/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { useMethod } from '../../store/queries.ts';
import { ChosenSum, DecisionForm } from './decision-form.tsx';
import { useBatchNames } from './money-words.tsx';

/** More would have to be searched rather than read. */
const maxChoices = 40;

export function MatchBatches({ entry, onClose }: { entry: MoneyEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const dayText = useDayText();
  const { data, refusal, retry } = useMethod('money', { only: 'open', onTerminal: null });
  const amount = money(entry.amountMinor, entry.currency);
  return (
    <Dialog title={t('money.matchTitle')} onClose={onClose} wide>
      <p>
        {dayText(entry.date)} · <strong>{amount}</strong> · {entry.remark}
      </p>
      {refusal !== null && <Refused refusal={refusal} retry={retry} />}
      {data === null
        ? refusal === null && <Empty title={t('app.loading')} />
        : data.kind === 'found' && (
            <Form entry={entry} rows={candidates(data.rows, entry)} onClose={onClose} />
          )}
    </Dialog>
  );
}

function Form({
  entry: { id, amountMinor, currency, possibleFor },
  rows,
  onClose,
}: {
  entry: MoneyEntry;
  rows: readonly MoneyRow[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { money } = useFormats();
  const dayText = useDayText();
  const titleOf = useTerminalTitle();
  const namesOf = useBatchNames();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = rows.filter((row) => chosen.has(keyOf(row)));
  const acquirer = picked[0]?.part.acquirer ?? null;
  const isOfAnother =
    possibleFor.length > 0 && !picked.some(({ batch }) => possibleFor.some((one) => one.id === batch.id));
  const amounts = picked.map(({ part }) => part.expectedMinor);
  const expectedMinor = amounts.includes(null)
    ? null
    : amounts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return (
    <DecisionForm
      decision={
        acquirer === null
          ? null
          : { kind: 'match', batchIds: picked.map(({ batch }) => batch.id), acquirer, entryIds: [id] }
      }
      legend={t('money.whichBatches')}
      choices={rows.map((row) => {
        const { batch, part } = row;
        const names = [
          dayText(part.closedOn ?? batch.closedAt.slice(0, 10)),
          titleOf(batch.terminal),
          batch.number === null ? t('batches.noNumber') : t('batches.number', { number: batch.number }),
          part.acquirer,
        ].filter((name) => name !== null);
        return {
          id: keyOf(row),
          label: (
            <>
              {names.join(' · ')} <MoneyStatus state={part.state} />
            </>
          ),
          amount: part.expectedMinor === null ? '–' : money(part.expectedMinor, currency),
          // One decision is about what one acquirer pays.
          disabled: acquirer !== null && part.acquirer !== acquirer,
        };
      })}
      chosen={chosen}
      onChoose={setChosen}
      sum={
        picked.length > 0 && (
          <ChosenSum
            entriesMinor={amountMinor}
            expectedMinor={expectedMinor}
            currency={currency}
            doubt={isOfAnother ? t('money.perhapsOther', { batches: namesOf(possibleFor) }) : null}
          />
        )
      }
      onDone={onClose}
    />
  );
}

function keyOf({ batch, part }: MoneyRow): string {
  return `${batch.id} ${part.acquirer ?? ''}`;
}

/**
 * Those that it may be the money of first, then those of exactly this amount, then those that were closed last before
 * it. What was taken back is only for batches that have to pay something back.
 */
function candidates(
  rows: readonly MoneyRow[],
  { amountMinor, currency, date, possibleFor }: MoneyEntry,
): MoneyRow[] {
  const rank = ({ batch, part }: MoneyRow) =>
    (possibleFor.some(({ id }) => id === batch.id) ? 0 : 4) +
    (part.expectedMinor === amountMinor ? 0 : 2) +
    ((part.closedOn ?? '') <= date ? 0 : 1);
  return rows
    .filter(({ batch, part }) => batch.currency === currency && part.acquirer !== null)
    .filter(({ part }) => amountMinor >= 0 || (part.expectedMinor ?? 0) < 0)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, maxChoices);
}
