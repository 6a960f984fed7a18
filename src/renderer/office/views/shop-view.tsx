/** One shop: its bridges with their terminals as each last told of them, what is open in it, and its latest batches. */
import { useMutation } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck, Unplug } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { heartbeatSchema, type Heartbeat } from '../../../contract/office.ts';
import {
  mayActAs,
  type BridgeView,
  type KnownTerminal,
  type OpenItems,
  type ShopDetails,
} from '../../../contract/office-page.ts';
import { isProtocolName, protocolOf } from '../../../contract/protocols.ts';
import { terminalTraitSchema } from '../../../contract/terminal.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { useFormats } from '../../messages/formats.ts';
import { askOffice } from '../office-client.ts';
import { NotThere, RefusedText } from '../parts/refused.tsx';
import { ShopBatches } from '../parts/shop-batches.tsx';
import { OpenLists } from '../parts/open-lists.tsx';
import { officeHref } from '../route.ts';
import { refusalOf, useAsked, useOffice } from '../session.tsx';

const everyMs = 2_000;
/** A clock that is less off is not worth a word, in milliseconds. */
const clockToleranceMs = 60_000;

export function ShopView({ shopId }: { shopId: string }) {
  const { t } = useTranslation();
  const live = { everyMs, shop: shopId };
  const asked = useAsked<ShopDetails>(`/shops/${shopId}`, live);
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
              <BridgeCard
                key={bridge.bridge_id}
                bridge={bridge}
                terminals={shop.terminals}
                onDone={asked.retry}
              />
            ))}
          </section>
          <ShopBatches shopId={shopId} />
        </>
      )}
    </>
  );
}

function BridgeCard({
  bridge,
  terminals,
  onDone,
}: {
  bridge: BridgeView;
  /** What the shop's journals know of them. */
  terminals: readonly KnownTerminal[];
  onDone: () => void;
}) {
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
      {revoked_at === null && heartbeat?.listener.listening === true && heartbeat.terminals.length === 0 && (
        <p className="note note-warn">{t('office.shop.noTerminal')}</p>
      )}
      <ul className="bridge-terminals">
        {(revoked_at === null ? (heartbeat?.terminals ?? []) : []).map((terminal) => (
          <TerminalItem
            key={terminal.name + String(terminal.simulated)}
            terminal={terminal}
            known={terminals.find(
              (one) => one.terminal === terminal.name && one.simulated === terminal.simulated,
            )}
          />
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

function TerminalItem({
  terminal: { name, simulated, ready, message, journalWritable, ...said },
  known,
}: {
  terminal: Heartbeat['terminals'][number];
  known: KnownTerminal | undefined;
}) {
  const { t } = useTranslation();
  const terminalId = said.terminalId ?? known?.terminal_id ?? null;
  // The table of terminals has no name where no event has told one.
  const protocol = said.protocol ?? known?.protocol ?? '';
  return (
    <li>
      <Mark shape={ready ? { icon: CircleCheck, tone: 'good' } : { icon: Unplug, tone: 'warn' }} />
      <div>
        <p>
          <strong>{name}</strong>{' '}
          {terminalId !== null && <span>· {t('terminal.id', { id: terminalId })}</span>}{' '}
          {protocol !== '' && (
            <span>· {isProtocolName(protocol) ? protocolOf(protocol).title : protocol}</span>
          )}{' '}
          {simulated && <span>· {t('terminal.simulator')}</span>}
        </p>
        <p className="calm">
          {t(ready ? 'office.shop.terminalReady' : 'office.shop.terminalNotReady')}
          {'. '}
          {message !== '' && <BridgeText text={message} />}
        </p>
        {(known?.traits ?? []).map((trait) => {
          const one = terminalTraitSchema.safeParse(trait);
          return (
            <p key={trait} className="calm">
              {one.success ? t(`office.shop.trait.${one.data}`) : trait}
            </p>
          );
        })}
        {!journalWritable && <p className="tone-bad">{t('office.shop.notWritable')}</p>}
      </div>
    </li>
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
