import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Page and thing, without how the page shows it. */
function placeShown(): string {
  return window.location.hash.split('?')[0] ?? '';
}

/**
 * A modal dialog: the browser's own, so focus stays in it, Escape closes it, and focus goes back to where it was.
 * Shown as long as it is rendered; `onClose` is asked when a person wants it gone.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  keepsOpen = false,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  /** Escape closes it not, because what it shows is not shown again. */
  keepsOpen?: boolean;
}) {
  const { t } = useTranslation();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed before it leaves the page: only then the browser puts the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  // A link in it leads to another page, which must not lie below it. What the page below notes of itself in the address
  // (a search that was typed just before) leads nowhere.
  const onLeave = useEffectEvent(() => {
    if (!keepsOpen) onClose();
  });
  useEffect(() => {
    const place = placeShown();
    const leave = () => {
      if (placeShown() !== place) onLeave();
    };
    window.addEventListener('hashchange', leave);
    return () => window.removeEventListener('hashchange', leave);
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!keepsOpen) onClose();
      }}
      // A second Escape is the browser's own, and asks nobody.
      onClose={({ currentTarget }) => {
        if (keepsOpen && currentTarget.isConnected) currentTarget.showModal();
      }}
    >
      {/* Not a header and a footer: those of a dialog would be read out as the page's. */}
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!keepsOpen && (
          <button type="button" className="icon-button" onClick={onClose} aria-label={t('app.close')}>
            <X aria-hidden="true" />
          </button>
        )}
      </div>
      <div className="dialog-body">{children}</div>
      {actions !== undefined && <div className="dialog-actions">{actions}</div>}
    </dialog>
  );
}
