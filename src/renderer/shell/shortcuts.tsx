/** The two keys that work everywhere: `?` shows all keys, Ctrl K (⌘ K) opens the command palette. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/dialog.tsx';
import { CommandPalette } from './command-palette.tsx';

const fields = 'input, textarea, select, [contenteditable], dialog';

export function Shortcuts() {
  const [shown, setShown] = useState<'keys' | 'palette' | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        // What another dialog asks is answered first.
        if (document.querySelector('dialog[open]') !== null) return;
        event.preventDefault();
        setShown('palette');
        return;
      }
      if (key !== '?' || ctrlKey || metaKey || altKey) return;
      if (target instanceof HTMLElement && target.closest(fields) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setShown('keys');
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const close = () => setShown(null);
  if (shown === 'keys') return <KeysDialog onClose={close} />;
  return shown === 'palette' ? <CommandPalette onClose={close} /> : null;
}

const isMac = /mac/i.test(navigator.platform);
const keys = [
  ['palette', isMac ? '⌘ K' : 'Ctrl K'],
  ['help', '?'],
  ['search', '/'],
  ['move', '↑ ↓'],
  ['open', 'Enter'],
  ['close', 'Esc'],
  ['next', 'Tab'],
] as const;

function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className="keys">
        {keys.map(([name, key]) => (
          <div key={name}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
