/** Who is told of alarms. An administrator can send each a test message, and sees what came back. */
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlarmList, AlarmTestResult } from '../../../contract/office-alarms.ts';
import { mayActAs } from '../../../contract/office-page.ts';
import { BridgeText } from '../../components/bridge-text.tsx';
import { Button } from '../../components/button.tsx';
import { askOffice } from '../office-client.ts';
import { refusalOf, useOffice } from '../session.tsx';
import { RefusedText } from './refused.tsx';

type Receiver = AlarmList['receivers'][number];

export function AlarmReceivers({ receivers }: { receivers: Receiver[] }) {
  return (
    <ul className="alarm-receivers">
      {receivers.map((receiver) => (
        <li key={receiver.name}>
          <AlarmReceiver receiver={receiver} />
        </li>
      ))}
    </ul>
  );
}

function AlarmReceiver({ receiver: { name, kind } }: { receiver: Receiver }) {
  const { t } = useTranslation();
  const { session } = useOffice();
  const nameId = useId();
  const test = useMutation({
    mutationFn: () => askOffice<AlarmTestResult>('/alarms/test', { receiver: name }),
  });
  return (
    <>
      <p id={nameId}>
        <strong>{name}</strong> <span className="calm">· {t(`office.alarms.kind.${kind}`)}</span>
      </p>
      {mayActAs(session.role, 'administrator') && (
        <Button
          look="quiet"
          aria-describedby={nameId}
          busy={test.isPending}
          icon={<Send aria-hidden="true" />}
          onClick={() => test.mutate()}
        >
          {t('office.alarms.test')}
        </Button>
      )}
      <div role="status">
        {test.data !== undefined && (
          <p className={`note ${test.data.delivered ? 'note-good' : 'note-bad'}`}>
            {t(test.data.delivered ? 'office.alarms.tested' : 'office.alarms.notTested')}{' '}
            <BridgeText text={test.data.answer} />
          </p>
        )}
      </div>
      <RefusedText refusal={test.error === null ? null : refusalOf(test.error)} />
    </>
  );
}
