import type { ReactNode } from 'react';

/** Instead of content: nothing is here, it is still coming, or it could not be had; with what to do next. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      {icon}
      <p className="empty-title">{title}</p>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}
