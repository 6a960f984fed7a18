import { LoaderCircle, Check, Copy } from 'lucide-react';
import { type ButtonHTMLAttributes, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Work is under way: shows so, and cannot be pressed again. It keeps the focus, which a disabled button would lose. */
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({ look = 'plain', busy = false, icon, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} ${rest.className ?? ''}`}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <LoaderCircle className="spin" aria-hidden="true" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** Puts `text` on the clipboard and says so. */
export function CopyButton({
  text,
  label,
  what,
}: {
  text: string;
  label?: string;
  /** What is copied, for those who hear the button without what stands beside it. */
  what?: string;
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button
      look="quiet"
      icon={copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      aria-description={what}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      <span aria-live="polite">{copied ? t('app.copied') : (label ?? t('app.copy'))}</span>
    </Button>
  );
}
