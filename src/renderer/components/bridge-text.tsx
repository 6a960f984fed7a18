import { useTranslation } from 'react-i18next';
import { bridgeSentence } from '../../locales/index.ts';

/** A sentence of the bridge's own, in the window's language where that has it; else in English, and marked as such. */
export function BridgeText({ text }: { text: string }) {
  const { language } = useTranslation().i18n;
  const own = bridgeSentence(text, language);
  return <span lang={own === null ? 'en' : language}>{own ?? text}</span>;
}
