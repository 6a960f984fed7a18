/** What became of a message to a receiver: shape, colour and word. */
import { CircleCheck, CircleX, Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageState } from '../../../contract/office-alarms.ts';
import { Mark, type Shape } from '../../components/status-mark.tsx';

const shapes: Record<MessageState, Shape> = {
  sent: { icon: CircleCheck, tone: 'good' },
  waiting: { icon: Hourglass, tone: 'warn' },
  given_up: { icon: CircleX, tone: 'bad' },
};

export function DeliveryStatus({ state, name }: { state: MessageState; name: string }) {
  const { t } = useTranslation();
  return (
    <span className="status" data-delivery={state}>
      <Mark shape={shapes[state]} />
      <span>
        <strong>{name}</strong>{' '}
        <span className={`tone-${shapes[state].tone}`}>{t(`office.alarms.delivery.${state}`)}</span>
      </span>
    </span>
  );
}
