/** One shop: its bridges with their terminals as each last told of them, and what is open in it. */
import { useMutation } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { heartbeatSchema } from '../../../contract/office.ts';
import {
  mayActAs,
  type BridgeView,
  type OpenItems,
  type ShopView as Shop,
} from '../../../contract/office-page.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { askOffice } from '../office-client.ts';
import { NotThere, RefusedText } from '../parts/refused.tsx';
import { OpenLists } from '../parts/open-lists.tsx';
import { officeHref } from '../route.ts';
import { refusalOf, useAsked, useOffice } from '../session.tsx';

const everyMs = 2_000;
/** A clock that is less off is not worth a word, in milliseconds. */
const clockToleranceMs = 60_000;

export function ShopView({ shopId }: { shopId: string }) {
  const { t } = useTranslation();
  const live = { everyMs, shop: shopId };
  const asked = useAsked<Shop>(`/shops/${shopId}`, live);
  const open = useAsked<OpenItems>(`/open?shopId=${shopId}`, live);
  const shop = asked.data;
  return (
    <>
      <div className="office-way">
        <a className="button button-quiet page-back" href={officeHref('overview')}>
          <ArrowLeft aria-hidden="true" />
          <span>{t('office.shop.back')}</span>
        </a>
      </div>
      {shop === null ? (
        <NotThere asked={asked} />
      ) : (
        <>
          <div className="page-head">
            <h1>{shop.name}</h1>
            <a className="button" href={officeHref('search', undefined, { shopId, shop: shop.name })}>
              {t('office.shop.payments')}
            </a>
          </div>
          {open.data !== null && (
            <OpenLists items={open.data} onDone={open.retry} withShop={false} onlyWhatIsThere />
          )}
          <section className="office-section" aria-labelledby="bridges">
            <h2 id="bridges">{t('office.shop.bridges')}</h2>
            {shop.bridges.length === 0 && <p className="calm">{t('office.shop.noBridge')}</p>}
            {shop.bridges.map((bridge) => (
              <BridgeCard key={bridge.bridge_id} bridge={bridge} onDone={asked.retry} />
            ))}
          </section>
        </>
      )}
    </>
  );
}

function BridgeCard({ bridge, onDone }: { bridge: BridgeView; onDone: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { session } = useOffice();
  const [revoking, setRevoking] = useState(false);
  const { computer, version, heard_at, revoked_at, clock_ahead_ms } = bridge;
  // A newer bridge may say it in a form that is not known here.
  const heartbeat = heartbeatSchema.safeParse(bridge.heartbeat).data;
  const aheadMs = clock_ahead_ms ?? 0;
  return (
    <article className="card bridge-card">
      <div className="page-head">
        <div>
          <h3>{computer}</h3>
          <p className="calm">
            {t('office.shop.version', { version })}
            {' · '}
            {revoked_at !== null
              ? t('office.shop.revoked', { time: formats.dateTime(revoked_at) })
              : heard_at === null
                ? t('office.shop.neverHeard')
                : t('office.shop.heard', { time: formats.dateTime(heard_at) })}
          </p>
        </div>
        {revoked_at === null && mayActAs(session.role, 'administrator') && (
          <Button look="quiet" onClick={() => setRevoking(true)}>
            {t('office.shop.revoke')}
          </Button>
        )}
      </div>
      {Math.abs(aheadMs) > clockToleranceMs && (
        <p className="note note-warn">
          {t(aheadMs > 0 ? 'office.shop.clockAhead' : 'office.shop.clockBehind', {
            span: formats.span(Math.abs(aheadMs)),
          })}
        </p>
      )}
      {revoked_at === null && heartbeat?.listener.listening === false && (
        <p className="note note-warn">
          {t('office.shop.listenerOff', { message: formats.sentence(heartbeat.listener.message) })}
        </p>
      )}
      <ul className="bridge-terminals">
        {(revoked_at === null ? (heartbeat?.terminals ?? []) : []).map((terminal) => (
          <li key={terminal.name + String(terminal.simulated)}>
            <Mark
              shape={terminal.ready ? { icon: CircleCheck, tone: 'good' } : { icon: Unplug, tone: 'warn' }}
            />
            <div>
              <p>
                <strong>{terminal.name}</strong>{' '}
                {terminal.terminalId !== null && (
                  <span>· {t('terminal.id', { id: terminal.terminalId })}</span>
                )}{' '}
                {terminal.simulated && <span>· {t('terminal.simulator')}</span>}
              </p>
              <p className="calm">
                {t(terminal.ready ? 'office.shop.terminalReady' : 'office.shop.terminalNotReady')}
                {'. '}
                {terminal.message !== '' && <BridgeText text={terminal.message} />}
              </p>
              {!terminal.journalWritable && <p className="tone-bad">{t('office.shop.notWritable')}</p>}
            </div>
          </li>
        ))}
      </ul>
      {revoking && (
        <RevokeDialog
          bridge={bridge}
          onClose={() => setRevoking(false)}
          onDone={() => {
            setRevoking(false);
            onDone();
          }}
        />
      )}
    </article>
  );
}

function RevokeDialog({
  bridge: { bridge_id, computer },
  onClose,
  onDone,
}: {
  bridge: BridgeView;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const revoke = useMutation({
    mutationFn: () => askOffice(`/bridges/${bridge_id}/revoke`, {}),
    onSuccess: onDone,
  });
  return (
    <Dialog
      title={t('office.shop.revokeTitle', { computer })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
            {t('office.shop.revoke')}
          </Button>
        </>
      }
    >
      <p>{t('office.shop.revokeMore')}</p>
      <RefusedText refusal={revoke.error === null ? null : refusalOf(revoke.error)} />
    </Dialog>
  );
}
