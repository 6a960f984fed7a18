/** Fields that the table of settings describes by themselves: an input, a choice or a tick for each row. */
import type { ParseKeys } from 'i18next';
import { useState, type InputHTMLAttributes } from 'react';
import { useTranslation } from 'react-i18next';
import { settingOf, settings, type Setting } from '../../../contract/configuration.ts';
import { valueAt, withValueAt } from '../../../contract/dotted-keys.ts';
import { Field } from '../../components/field.tsx';
import { Tick, useFixedWords } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export interface FormField extends Pick<Setting, 'key' | 'kind' | 'choices' | 'range'> {
  label: ParseKeys;
  hint: ParseKeys | null;
  /** Before the name of a choice; null: choices are shown as they are. */
  choiceLabels: string | null;
  /** What an empty input stands for. */
  empty: null | '';
}

type SectionName = NonNullable<NonNullable<Setting['console']>['section']>;
type Texts = NonNullable<NonNullable<Setting['console']>['field']>;

/** The fields of a section, in the order of the table. */
function formFields(section: SectionName): FormField[] {
  return settings.flatMap(({ key, console }) =>
    console?.section === section && console.field !== undefined ? [formField(key, console.field)] : [],
  );
}

/** A field of the setting `key` with other texts than the table's. */
export function formField(key: string, { label, hint, choiceLabels }: Texts): FormField {
  const { kind, choices, range, secret, fallback } = settingOf(key);
  return {
    key,
    kind,
    choices,
    range,
    // A test holds that every language has them.
    label: label as ParseKeys,
    hint: (hint ?? null) as ParseKeys | null,
    choiceLabels: choiceLabels ?? null,
    empty: secret || fallback === null ? null : '',
  };
}

/** All fields of a section, those to tick at the end. Every section that the table knows shows them. */
export function SettingFields({ section, draft }: { section: SectionName; draft: SettingsDraft }) {
  const hasInputs = formFields(section).some(({ kind }) => kind !== 'boolean');
  return (
    <>
      {hasInputs && (
        <div className="settings-pair">
          <SettingInputs section={section} draft={draft} />
        </div>
      )}
      <SettingTicks section={section} draft={draft} />
    </>
  );
}

/** All fields of a section but those to tick. */
export function SettingInputs({ section, draft }: { section: SectionName; draft: SettingsDraft }) {
  return formFields(section).map(
    (field) => field.kind !== 'boolean' && <SettingInput key={field.key} field={field} draft={draft} />,
  );
}

export function SettingTicks({ section, draft }: { section: SectionName; draft: SettingsDraft }) {
  return formFields(section).map(
    (field) => field.kind === 'boolean' && <SettingTick key={field.key} field={field} draft={draft} />,
  );
}

export function SettingInput({ field, draft }: { field: FormField; draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { value, hint, isFixed, problem, set } = useSetting(field, draft);
  const { key, kind, choices, range, choiceLabels, empty } = field;
  return (
    <Field label={t(field.label)} hint={hint} problem={problem}>
      {(tie) => {
        const shared = { ...tie, 'data-setting': key, disabled: isFixed };
        if (choices !== null) {
          return (
            <select
              {...shared}
              value={String(value)}
              onChange={({ target }) => set(choices.find((choice) => String(choice) === target.value))}
            >
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choiceLabels === null ? choice : t(`${choiceLabels}.${choice}` as ParseKeys)}
                </option>
              ))}
            </select>
          );
        }
        if (range !== null)
          return <NumberInput tie={shared} whole={range.whole} value={Number(value)} onChange={set} />;
        return (
          <input
            {...shared}
            autoComplete="off"
            value={kind === 'text' && typeof value === 'string' ? value : ''}
            onChange={({ target }) => set(target.value === '' ? empty : target.value)}
          />
        );
      }}
    </Field>
  );
}

function SettingTick({ field, draft }: { field: FormField; draft: SettingsDraft }) {
  const { t } = useTranslation();
  const { value, hint, isFixed, problem, set } = useSetting(field, draft);
  return (
    <Tick
      label={t(field.label)}
      hint={hint}
      checked={value === true}
      disabled={isFixed}
      problem={problem}
      onChange={set}
    />
  );
}

function useSetting({ key, hint }: FormField, { settings: all, change, view, problems }: SettingsDraft) {
  const { t } = useTranslation();
  const fixed = useFixedWords(view)(key);
  return {
    value: valueAt(all.bridge, key),
    hint: fixed ?? (hint === null ? undefined : t(hint)),
    isFixed: fixed !== undefined,
    problem: problems[key] ?? null,
    set: (value: unknown) => change({ ...all, bridge: withValueAt(all.bridge, key, value) }),
  };
}

/** A number as a person types it: what is typed stays as it is, and what is no number is NaN, which the check refuses. */
function NumberInput(props: {
  tie: InputHTMLAttributes<HTMLInputElement>;
  whole: boolean;
  value: number;
  onChange: (value: number) => void;
}) {
  const { tie, whole, value, onChange } = props;
  const { i18n } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const parse = whole ? wholeNumberOf : numberOf;
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20, useGrouping: false });
  const shown =
    typed !== null && (Number.isNaN(value) || parse(typed) === value) ? typed : format.format(value);
  return (
    <input
      {...tie}
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(parse(target.value));
      }}
    />
  );
}

function wholeNumberOf(text: string): number {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** With a point or a comma, as people write it. */
function numberOf(text: string): number {
  const written = text.trim().replace(',', '.');
  return /^-?\d{1,9}(\.\d{1,4})?$/.test(written) ? Number(written) : Number.NaN;
}
