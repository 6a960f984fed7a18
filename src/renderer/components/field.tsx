import { useId, type ReactElement, type ReactNode } from 'react';

/** A label, an input, what it is for, and what is wrong with it; tied together for screen readers. */
export function Field({
  label,
  hint,
  problem,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  problem?: string | null;
  /** Gets the ids and marks that tie the input to its label, hint and problem. */
  children: (tie: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactElement;
}) {
  const id = useId();
  const hintId = hint === undefined ? null : `${id}-hint`;
  const problemId = problem === undefined || problem === null ? null : `${id}-problem`;
  const described = [problemId, hintId].filter((part) => part !== null).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': problemId !== null,
      })}
      {problemId !== null && (
        <p className="field-problem" id={problemId} role="alert">
          {problem}
        </p>
      )}
      {hintId !== null && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
