import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
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
