/** A manager's word on a batch's money, or on an entry that nobody can explain, and the way back: by name and reason. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DepositEntryView, DepositView } from '../../../contract/office-deposits.ts';
import { newStatement, StatementForm, type Statement } from '../../components/decisions/statement-form.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { askOffice } from '../office-client.ts';
import { refusalOf, useOffice } from '../session.tsx';
import { What } from './deposit-table.tsx';
import { RefusedText } from './refused.tsx';
import { EntryText } from './unexplained-table.tsx';

export type Settled =
  | {
      deposit: DepositView;
      /** All that are listed. */
      entries: DepositEntryView[];
    }
  | { entry: DepositEntryView };

export function SettleDialog({
  settled,
  onClose,
  onDone,
}: {
  settled: Settled;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { session } = useOffice();
  const [statement, setStatement] = useState<Statement>(() => {
    const empty = newStatement();
    return session.by === 'provider' ? { ...empty, by: session.name } : empty;
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Whoever opens it for what is settled already takes that back.
  const isSettled =
    'deposit' in settled ? settled.deposit.decided_by !== null : settled.entry.settled_by !== null;
  const settle = useMutation({
    mutationFn: () =>
      isSettled
        ? askOffice('/deposits/unsettle', { ...whichOf(settled), ...statement })
        : askOffice('/deposits/settle', { ...whatOf(settled, chosen), ...statement }),
    onSuccess: onDone,
  });
  const possible = 'deposit' in settled ? possibleOf(settled) : [];
  return (
    <Dialog
      title={t(isSettled ? 'office.deposits.unsettleTitle' : 'office.deposits.settleTitle')}
      onClose={onClose}
    >
      {'deposit' in settled ? (
        <>
          <p>
            <strong>{settled.deposit.shop}</strong> {settled.deposit.batch_number}
          </p>
          <What deposit={settled.deposit} />
        </>
      ) : (
        <>
          <EntryText entry={settled.entry} />
          {!isSettled && <p>{t('office.deposits.nobodys')}</p>}
        </>
      )}
      {isSettled && <p>{t('office.deposits.unsettleMore')}</p>}
      <StatementForm
        statement={statement}
        onChange={setStatement}
        nameHint={t('office.open.nameHint')}
        why={t('office.open.why')}
        whyHint={t('money.whyHint')}
        submit={t(isSettled ? 'office.deposits.unsettle' : 'office.deposits.settle')}
        busy={settle.isPending}
        note={<RefusedText refusal={settle.error === null ? null : refusalOf(settle.error)} />}
        onSubmit={() => settle.mutate()}
      >
        {() =>
          'deposit' in settled &&
          !isSettled && (
            <fieldset className="deposit-entries">
              <legend>{t('money.whichEntries')}</legend>
              {possible.length === 0 && <p className="calm">{t('office.deposits.nothingMore')}</p>}
              {possible.map((entry) => (
                <label key={entry.entry_id} className="check">
                  <input
                    type="checkbox"
                    checked={chosen.has(entry.entry_id)}
                    onChange={({ target }) =>
                      setChosen((before) => changed(before, entry.entry_id, target.checked))
                    }
                  />
                  <EntryText entry={entry} />
                </label>
              ))}
            </fieldset>
          )
        }
      </StatementForm>
    </Dialog>
  );
}

function whatOf(settled: Settled, chosen: ReadonlySet<string>) {
  if ('entry' in settled) return whichOf(settled);
  const { batch_id, acquirer } = settled.deposit;
  return { batchIds: [batch_id], acquirer, entryIds: [...chosen] };
}

function whichOf(settled: Settled) {
  if ('deposit' in settled) {
    const { batch_id: batchId, acquirer } = settled.deposit;
    return { batchId, acquirer };
  }
  const { merchant, entry_id: entryId } = settled.entry;
  return { merchant, entryId };
}

/** What may be its money, and what came for it already. */
function possibleOf({ deposit, entries }: Extract<Settled, { deposit: DepositView }>): DepositEntryView[] {
  const named = new Set([...deposit.entry_ids, ...deposit.possible_ids]);
  return entries.filter(({ entry_id, merchant }) => merchant === deposit.merchant && named.has(entry_id));
}

function changed(before: ReadonlySet<string>, id: string, isIn: boolean): Set<string> {
  const after = new Set(before);
  if (isIn) after.add(id);
  else after.delete(id);
  return after;
}
