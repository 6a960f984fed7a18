/** Filters with names. They are kept with the settings, so that whoever looks at this till finds them. */
import { Bookmark, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxLogFilters, savedLogFilterSchema, type SavedLogFilter } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { RefusedNote } from '../../components/notices.tsx';
import { useView } from '../../store/console-context.tsx';
import { useAction } from '../../store/queries.ts';

interface SavedFiltersProps {
  /** What is shown now, as it stands in an address. */
  query: string;
  onChoose: (query: string) => void;
}

export function SavedFilters({ query, onChoose }: SavedFiltersProps) {
  const { t } = useTranslation();
  const { settings } = useView();
  const id = useId();
  const action = useAction('saveSettings');
  const [name, setName] = useState('');
  if (settings === null) return null;
  const { app } = settings.settings;
  const saved = app.logFilters;
  const save = (logFilters: SavedLogFilter[]) =>
    action.run({ ...settings.settings, app: { ...app, logFilters } });
  const wanted = savedLogFilterSchema.safeParse({ name: name.trim(), query });
  const add = async () => {
    if (!wanted.success) return;
    // A name that is there already gets another filter.
    const others = saved.filter((one) => one.name !== wanted.data.name);
    if ((await save([...others, wanted.data])) !== null) setName('');
  };
  const isFull = saved.length >= maxLogFilters && !saved.some((one) => one.name === name.trim());
  return (
    <>
      <Button icon={<Bookmark aria-hidden="true" />} popoverTarget={`${id}-saved`}>
        {t('log.saved.title')}
      </Button>
      <div
        id={`${id}-saved`}
        className="popover log-popover"
        popover="auto"
        // What the keyboard goes on to may be below it.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
        }}
      >
        {saved.length === 0 && <p className="calm">{t('log.saved.none')}</p>}
        <ul className="log-saved">
          {saved.map((one) => (
            <li key={one.name}>
              <Button
                look="quiet"
                popoverTarget={`${id}-saved`}
                popoverTargetAction="hide"
                aria-current={one.query === query}
                onClick={() => onChoose(one.query)}
              >
                {one.name}
              </Button>
              <button
                type="button"
                className="icon-button"
                aria-label={t('log.saved.remove', { name: one.name })}
                onClick={() => void save(saved.filter((other) => other !== one))}
              >
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
        <form
          className="log-save"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Field
            label={t('log.saved.name')}
            hint={query === '' ? t('log.saved.nothing') : t('log.saved.hint')}
            problem={isFull ? t('log.saved.full') : null}
          >
            {(tie) => (
              <input {...tie} value={name} maxLength={40} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Button type="submit" busy={action.busy} disabled={!wanted.success || isFull || query === ''}>
            {t('log.saved.save')}
          </Button>
        </form>
        <RefusedNote refusal={action.refusal} />
      </div>
    </>
  );
}
