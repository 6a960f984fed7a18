import { useTranslation } from 'react-i18next';
import type { ListenerState } from '../../contract/console/index.ts';

/** What the listener's state means, and what to do about it. */
export function useListenerMessage(listener: ListenerState): { text: string } {
  const { t } = useTranslation();
  switch (listener.kind) {
    case 'on':
      return { text: t('listener.onText', { address: listener.addresses[0] ?? `:${listener.port}` }) };
    case 'off':
      return { text: t('listener.offText') };
    case 'starting':
    case 'stopping':
      return { text: t(`listener.${listener.kind}`) };
    case 'failed':
      switch (listener.code) {
        case 'port_in_use':
          return { text: t('listener.portInUse', { port: listener.port }) };
        case 'port_forbidden':
          return { text: t('listener.portForbidden', { port: listener.port }) };
        case 'address_unknown':
          return { text: t('listener.addressUnknown') };
        case 'other':
          return { text: t('listener.otherFailure', { text: listener.text }) };
      }
  }
}
