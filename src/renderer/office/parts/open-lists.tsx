/** What waits for a person: doubts, discrepancies, and findings of journals, the oldest first, with how long each stands. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  mayActAs,
  type DiscrepancyRow,
  type DoubtView,
  type FindingView,
  type OpenItems,
  type Place,
} from '../../../contract/office-page.ts';
import { discrepancyKindSchema } from '../../../contract/discrepancy.ts';
import { operationKindSchema } from '../../../contract/operation.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { newStatement, StatementForm, type Statement } from '../../components/decisions/statement-form.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useFormats } from '../../messages/formats.ts';
import { askOffice } from '../office-client.ts';
import { officeHref } from '../route.ts';
import { refusalOf, useOffice } from '../session.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { moneyText } from './money-text.ts';
import { RefusedText } from './refused.tsx';
import { ShopLink } from './shop-link.tsx';
import { useNow } from './use-now.ts';

/** The office lists no more of each. */
const maxListed = 500;

export function OpenLists({
  items: { doubts, discrepancies, findings },
  withShop,
  onlyWhatIsThere = false,
  onDone,
}: {
  items: OpenItems;
  withShop: boolean;
  onlyWhatIsThere?: boolean;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { session } = useOffice();
  const formats = useFormats();
  const now = useNow();
  const [acknowledging, setAcknowledging] = useState<FindingView | null>(null);

  const columnsOf = <T extends Place>(
    sinceOf: (item: T) => string,
    what: (item: T) => React.ReactNode,
  ): Column<T>[] => [
    {
      name: 'stands',
      label: t('office.open.column.stands'),
      width: '6rem',
      cell: (item) => {
        const since = sinceOf(item);
        return (
          <time dateTime={since} title={formats.fullTime(since)}>
            {formats.span(Math.max(0, now - Date.parse(since)))}
          </time>
        );
      },
    },
    ...(withShop
      ? [
          {
            name: 'shop',
            label: t('office.open.column.shop'),
            width: 'minmax(7rem, 14rem)',
            cell: (item: T) => <ShopLink place={item} />,
          },
        ]
      : []),
    { name: 'what', label: t('office.open.column.what'), width: 'minmax(0, 1fr)', cell: what },
  ];

  return (
    <>
      {(doubts.length > 0 || !onlyWhatIsThere) && (
        <Section id="doubts" title={t('office.open.doubts')} items={doubts} none={t('office.open.noDoubts')}>
          <DataTable
            label={t('office.open.doubts')}
            rows={doubts}
            keyOf={({ operation_id, shop_id }) => operation_id + shop_id}
            columns={columnsOf<DoubtView>(
              ({ doubt_since }) => doubt_since,
              (doubt) => (
                <Doubt doubt={doubt} />
              ),
            )}
          />
        </Section>
      )}
      {(discrepancies.length > 0 || !onlyWhatIsThere) && (
        <Section
          id="discrepancies"
          title={t('office.open.discrepancies')}
          items={discrepancies}
          none={t('office.open.noDiscrepancies')}
        >
          <DataTable
            label={t('office.open.discrepancies')}
            rows={discrepancies}
            keyOf={({ discrepancy_id, shop_id }) => discrepancy_id + shop_id}
            columns={columnsOf<DiscrepancyRow>(
              ({ found_at }) => found_at,
              (found) => (
                <Discrepancy found={found} />
              ),
            )}
          />
        </Section>
      )}
      {(findings.length > 0 || !onlyWhatIsThere) && (
        <Section
          id="findings"
          title={t('office.open.findings')}
          items={findings}
          none={t('office.open.noFindings')}
        >
          <DataTable
            label={t('office.open.findings')}
            rows={findings}
            keyOf={({ finding_id }) => finding_id}
            columns={columnsOf<FindingView>(
              ({ found_at }) => found_at,
              (finding) => (
                <div className="open-finding">
                  <Finding finding={finding} />
                  {mayActAs(session.role, 'manager') && (
                    <Button onClick={() => setAcknowledging(finding)}>{t('office.open.acknowledge')}</Button>
                  )}
                </div>
              ),
            )}
          />
        </Section>
      )}
      {acknowledging !== null && (
        <AcknowledgeDialog
          finding={acknowledging}
          onClose={() => setAcknowledging(null)}
          onDone={() => {
            setAcknowledging(null);
            onDone();
          }}
        />
      )}
    </>
  );
}

function Section({
  id,
  title,
  items,
  none,
  children,
}: {
  id: string;
  title: string;
  items: readonly unknown[];
  none: string;
  children: React.ReactNode;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="office-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {items.length === 0 ? <p className="calm">{none}</p> : children}
      {items.length >= maxListed && (
        <p className="calm">{t('office.open.more', { shown: formats.number(items.length) })}</p>
      )}
    </section>
  );
}

function Doubt({ doubt }: { doubt: DoubtView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { kind, payment_id, reference, amount_minor, currency, needs_person, reason, simulated } = doubt;
  const known = operationKindSchema.safeParse(kind);
  // The link says as much.
  const isSale = kind === 'sale' && payment_id !== null;
  return (
    <>
      <p>
        {!isSale && <strong>{known.success ? t(`operation.${known.data}`) : kind}</strong>}{' '}
        {payment_id !== null && (
          <a href={officeHref('search', payment_id)}>
            {t('office.open.toPayment', { reference: reference ?? '' })}
          </a>
        )}{' '}
        {amount_minor !== null && currency !== null && (
          <span data-figures>· {moneyText(formats, amount_minor, currency)}</span>
        )}{' '}
        {simulated && <span className="calm">· {t('terminal.simulator')}</span>}
      </p>
      {needs_person && <p className="tone-warn">{t('office.open.needsPerson')}</p>}
      <p className="calm">
        <BridgeText text={reason} />
      </p>
    </>
  );
}

function Discrepancy({ found }: { found: DiscrepancyRow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { kind, message, refs, amount_minor, currency, simulated } = found;
  const known = discrepancyKindSchema.safeParse(kind);
  return (
    <>
      <p>
        <strong>{known.success ? t(`discrepancy.kind.${known.data}`) : kind}</strong>{' '}
        {amount_minor !== null && currency !== null && (
          <span data-figures>· {moneyText(formats, amount_minor, currency)}</span>
        )}{' '}
        {simulated && <span className="calm">· {t('terminal.simulator')}</span>}
      </p>
      <p className="calm">
        <BridgeText text={message} />
      </p>
      {refs.length > 0 && (
        <p>
          {refs.map((reference) => (
            <a
              key={reference}
              className="open-reference"
              href={officeHref('search', undefined, {
                reference,
                ...(simulated ? { simulated: 'true' } : {}),
              })}
            >
              {reference}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

/** Those that have a message of their own. */
const findingKinds = [
  'chain_broken',
  'journal_behind',
  'journal_branched',
  'two_places',
  'operations_lost',
  'discrepancy_lost',
  'other_bridge',
  'payments_elsewhere',
  'not_understood',
  'newer_bridge',
] as const;

function Finding({ finding: { kind, message, simulated } }: { finding: FindingView }) {
  const { t } = useTranslation();
  return (
    <div>
      <p>
        <strong>{t(`office.finding.${findingKinds.find((each) => each === kind) ?? 'other'}`)}</strong>{' '}
        {simulated && <span className="calm">· {t('terminal.simulator')}</span>}
      </p>
      <p className="calm">
        <BridgeText text={message} />
      </p>
    </div>
  );
}

function AcknowledgeDialog({
  finding,
  onClose,
  onDone,
}: {
  finding: FindingView;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { session } = useOffice();
  const [statement, setStatement] = useState<Statement>(() => {
    const empty = newStatement();
    return session.by === 'provider' ? { ...empty, by: session.name } : empty;
  });
  const acknowledge = useMutation({
    mutationFn: () => askOffice(`/findings/${finding.finding_id}/acknowledge`, statement),
    onSuccess: onDone,
  });
  return (
    <Dialog title={t('office.open.acknowledgeTitle')} onClose={onClose}>
      <p>
        <strong>{finding.shop}</strong>
      </p>
      <Finding finding={finding} />
      <StatementForm
        statement={statement}
        onChange={setStatement}
        nameHint={t('office.open.nameHint')}
        why={t('office.open.why')}
        whyHint={t('office.open.whyHint')}
        submit={t('office.open.acknowledge')}
        busy={acknowledge.isPending}
        note={<RefusedText refusal={acknowledge.error === null ? null : refusalOf(acknowledge.error)} />}
        onSubmit={() => acknowledge.mutate()}
      />
    </Dialog>
  );
}
