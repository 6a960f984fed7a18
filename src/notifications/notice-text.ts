/** A notification in words. */
import type { Translate } from '../locales/index.ts';
import { mainTerminal } from '../contract/terminal-name.ts';
import { onTerminals, type Notice } from './notifier.ts';

export interface NoticeText {
  title: string;
  text: string;
}

/** Of several terminals it names those that it is about. */
export function noticeText(notice: Notice, t: Translate): NoticeText {
  const { title, text } = withoutTerminal(notice, t);
  const names = onTerminals(notice.needs).map((name) =>
    name === mainTerminal ? t('terminals.main') : t('terminals.named', { name }),
  );
  return { title, text: names.length === 0 ? text : `${names.join(', ')}: ${text}` };
}

function withoutTerminal({ needs }: Notice, t: Translate): NoticeText {
  const [need] = needs;
  const count = needs.length;
  switch (need?.kind) {
    case 'doubt': {
      const { kind, reference } = need.inDoubt;
      if (count > 1) return { title: t('notice.doubts', { count }), text: t('notice.doubtsText') };
      return {
        title: t(`till.inDoubtTitle.${kind}`),
        text: t(`notice.doubt.${kind}`, { reference: reference ?? '' }),
      };
    }
    case 'discrepancy':
      return { title: t('notice.discrepancy', { count }), text: t('notice.discrepancyText') };
    case 'journal':
      return { title: t('till.noCards'), text: t('notice.journal') };
    case 'listener':
      return { title: t('till.listener.failed'), text: t('notice.listener', { port: need.port }) };
    case 'terminal':
      return { title: t('till.terminal.attention'), text: t('terminal.next.attention') };
    case 'lost':
      return { title: t('till.terminal.lost'), text: t('terminal.next.lost') };
    case 'money':
      return { title: t('notice.money', { count }), text: t('notice.moneyText') };
    case 'bridge':
    case undefined:
      return { title: t('till.noCards'), text: t('notice.bridge') };
  }
}
