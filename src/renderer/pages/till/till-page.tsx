/** For the cashier's glance: can I take a card now, and what is the terminal waiting for? Below it: today. */
import { useTranslation } from 'react-i18next';
import { useFreshResult, useView } from '../../store/console-context.tsx';
import { TerminalOverview } from '../../components/terminal-choice/index.ts';
import { ofTerminal } from '../../store/chosen-terminal.ts';
import { useTerminalName, useTerminalState } from '../../store/terminal-context.tsx';
import { CancelRefusal, useCancel } from './operation-view.tsx';
import { SituationView } from './situation-view.tsx';
import { situationOf } from '../../situation/situation.ts';
import { Today } from './today.tsx';
import { Volume2 } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { player } from '../../sound/player.ts';
import { usePlayerState } from '../../sound/use-sounds.ts';
import { takenMinor, type PaymentView, type RequestOf } from '../../../contract/console/index.ts';
import { CardName } from '../../components/card-name.tsx';
import { PaymentStatus } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { href } from '../../store/route.ts';
import { useMethod } from '../../store/queries.ts';
import { useFormats } from '../../messages/formats.ts';
import { AnotherTestPayment, FirstPayment } from './first-payment.tsx';
import { Said } from '../../components/said.tsx';
import './till.css';

export function TillPage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden">{t('pages.till')}</h1>
      <TerminalOverview />
      <div className="till">
        {/* Nothing of one terminal is left on the page of another one. */}
        <TillOfTerminal key={useTerminalName()} />
      </div>
    </>
  );
}

function TillOfTerminal() {
  const { t } = useTranslation();
  const view = useView();
  const state = useTerminalState();
  const cancel = useCancel();
  const situation = situationOf({ ...view, state }, useFreshResult(useTerminalName()));
  // What the large card says is not said a second time beside it.
  const isLarge = situation.kind === 'result' && situation.payment !== null;
  return (
    <Said>
      <section className="till-now card" aria-label={t('till.now')} data-situation={situation.kind}>
        <SituationView situation={situation} cancel={cancel} />
        <CancelRefusal cancel={cancel} currentOperation={state.currentOperation} />
        <SoundNote />
      </section>
      {isLarge && state.lastPayment !== null ? (
        <PaymentBefore payment={state.lastPayment} />
      ) : (
        <LastResult payment={state.lastPayment} previous={situation.kind === 'operation'} />
      )}
      <Today />
    </Said>
  );
}

/** A browser that plays nothing before somebody has used the page. */
function SoundNote() {
  const { t } = useTranslation();
  if (usePlayerState() !== 'waiting') return null;
  return (
    <div className="note note-warn till-sound">
      <p>{t('till.soundWaiting')}</p>
      <Button look="quiet" icon={<Volume2 aria-hidden="true" />} onClick={() => player.allow()}>
        {t('till.soundAllow')}
      </Button>
    </div>
  );
}

/** What became of the payment that ended last; `previous`: another one is on the terminal, and must not be taken for it. */
function LastResult({ payment, previous }: { payment: PaymentView | null; previous: boolean }) {
  const { t } = useTranslation();
  return (
    <section className="till-last card" aria-labelledby="till-last-title" data-previous={previous}>
      <h2 id="till-last-title">
        {t(payment === null ? 'till.first.title' : previous ? 'till.previous' : 'till.last')}
      </h2>
      {payment === null ? <FirstPayment /> : <LastPayment payment={payment} />}
      {payment !== null && <AnotherTestPayment />}
    </section>
  );
}

/** While the large card has the result of `payment`: the one before it. */
function PaymentBefore({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  const { data } = useMethod('payments', { ...newestTwo, ...ofTerminal(useTerminalName()) });
  const before = data?.payments.find(({ transactionId }) => transactionId !== payment.transactionId);
  return (
    <section className="till-last card" aria-labelledby="till-last-title" data-previous="true">
      <h2 id="till-last-title">{t('till.previous')}</h2>
      {before !== undefined && <LastPayment payment={before} />}
      {data !== null && before === undefined && <p className="calm">{t('till.noPrevious')}</p>}
    </section>
  );
}

const newestTwo: RequestOf<'payments'> = {
  before: null,
  limit: 2,
  filter: { span: null, status: null, text: null },
};

function LastPayment({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { status, currency, reference, updatedAt, transactionId } = payment;
  const printable = status === 'approved' || status === 'settled';
  const amount = formats.money(takenMinor(payment), currency);
  return (
    <div className="till-last-body">
      <PaymentStatus status={status} large />
      <p className="till-last-amount" style={{ '--characters': amount.length }}>
        {amount}
      </p>
      <p className="calm">{t(`statusMeaning.${status}`)}</p>
      <p className="till-last-line">
        <a href={href('payments', transactionId)} title={t('till.openPayment')}>
          {reference}
        </a>
        {printable && (
          <a href={href('payments', transactionId, undefined, 'receipt')}>{t('till.result.print')}</a>
        )}
        <Time at={updatedAt} />
        <CardName payment={payment} />
      </p>
    </div>
  );
}
