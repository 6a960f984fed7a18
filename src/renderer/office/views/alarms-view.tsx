/** Which alarms stand and who was told of them, what was sent to whom, and what could not be delivered. */
import { useTranslation } from 'react-i18next';
import type { AlarmList } from '../../../contract/office-alarms.ts';
import { WithCommands } from '../../components/with-commands.tsx';
import { useFormats } from '../../messages/formats.ts';
import { AlarmReceivers } from '../parts/alarm-receivers.tsx';
import { AlarmTable } from '../parts/alarm-table.tsx';
import { MessageTable } from '../parts/message-table.tsx';
import { NotThere } from '../parts/refused.tsx';
import { useAsked } from '../session.tsx';

const everyMs = 2_000;
/** The office lists no more. */
const maxListed = 500;

export function AlarmsView() {
  const { t } = useTranslation();
  const formats = useFormats();
  const asked = useAsked<AlarmList>('/alarms', { everyMs });
  const list = asked.data;
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.alarms')}</h1>
      </div>
      {list === null ? (
        <NotThere asked={asked} />
      ) : (
        <>
          <section className="office-section" aria-labelledby="standing">
            <h2 id="standing">{t('office.alarms.standing')}</h2>
            {list.alarms.length === 0 ? (
              <p className="calm">{t('office.alarms.noneStands')}</p>
            ) : (
              <AlarmTable alarms={list.alarms} />
            )}
            {list.alarms.length >= maxListed && (
              <p className="calm">{t('office.open.more', { shown: formats.number(list.alarms.length) })}</p>
            )}
          </section>
          {list.undelivered.length > 0 && (
            <section className="office-section" aria-labelledby="undelivered">
              <h2 id="undelivered">{t('office.alarms.undelivered')}</h2>
              <MessageTable label={t('office.alarms.undelivered')} messages={list.undelivered} />
            </section>
          )}
          <section className="office-section" aria-labelledby="receivers">
            <h2 id="receivers">{t('office.alarms.receivers')}</h2>
            {list.receivers.length === 0 ? (
              <p className="calm">
                <WithCommands text={t('office.alarms.noReceiver')} />
              </p>
            ) : (
              <AlarmReceivers receivers={list.receivers} />
            )}
          </section>
          {list.sent.length > 0 && (
            <section className="office-section" aria-labelledby="sent">
              <h2 id="sent">{t('office.alarms.sent')}</h2>
              <MessageTable label={t('office.alarms.sent')} messages={list.sent} />
            </section>
          )}
        </>
      )}
    </>
  );
}
