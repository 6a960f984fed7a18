/** A number as a person types it: what is typed stays as it is, and what is no number is NaN, which the check refuses. */
import { useState } from 'react';

export interface NumberInputProps {
  /** Of `Field`. */
  tie: React.InputHTMLAttributes<HTMLInputElement>;
  className: string;
  inputMode: 'numeric' | 'decimal';
  value: number;
  disabled: boolean;
  /** NaN for what is no number. */
  parse: (text: string) => number;
  format: (value: number) => string;
  onChange: (value: number) => void;
}

export function NumberInput(props: NumberInputProps) {
  const { tie, className, inputMode, value, disabled, parse, format, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && (Number.isNaN(value) || parse(typed) === value) ? typed : format(value);
  return (
    <input
      {...tie}
      className={className}
      inputMode={inputMode}
      autoComplete="off"
      value={shown}
      disabled={disabled}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(parse(target.value));
      }}
    />
  );
}
