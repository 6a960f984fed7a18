/** For the cashier's glance: can I take a card now, and what is the terminal waiting for? Below it: today. */
import { useTranslation } from 'react-i18next';
import { useView, useConsoleState } from '../../store/console-context.tsx';
import { CancelRefusal, useCancel } from './cancel.tsx';
import { LastResult } from './last-result.tsx';
import { SituationView } from './situation-view.tsx';
import { situationOf } from './situation.ts';
import { Today } from './today.tsx';
import './till.css';

export function TillPage() {
  const { t } = useTranslation();
  const view = useView();
  const state = useConsoleState();
  const cancel = useCancel();
  const situation = situationOf({ ...view, state });
  return (
    <div className="till">
      <h1 className="visually-hidden">{t('pages.till')}</h1>
      <section className="till-now card" aria-label={t('till.now')} data-situation={situation.kind}>
        <SituationView situation={situation} cancel={cancel} />
        <CancelRefusal cancel={cancel} currentOperation={state.currentOperation} />
      </section>
      <LastResult payment={state.lastPayment} />
      <Today />
    </div>
  );
}
