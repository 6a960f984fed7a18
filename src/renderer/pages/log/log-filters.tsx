/** What of the log is shown: text, level, sources. */
import { ChevronDown, Search } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { logLevels, type LogFilter } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { sourceName } from '../../messages/log-line.ts';
import { groupings, type Grouping } from './folded-lines.ts';
import { TimeRange } from './time-range.tsx';

export function LogFilters({
  filter,
  onChange,
  sources,
  grouping,
  onGrouping,
}: {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
  /** All that occur. */
  sources: readonly string[];
  grouping: Grouping;
  onGrouping: (grouping: Grouping) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="log-filters" role="search">
      <div className="log-search">
        <Search aria-hidden="true" />
        <input
          type="search"
          data-search
          aria-label={t('log.search')}
          placeholder={t('log.searchHint')}
          maxLength={200}
          value={filter.text ?? ''}
          onChange={({ target }) => onChange({ ...filter, text: target.value === '' ? null : target.value })}
        />
      </div>
      <select
        aria-label={t('log.minLevel')}
        value={filter.minLevel}
        onChange={({ target }) => {
          const level = logLevels.find((one) => one === target.value);
          if (level !== undefined) onChange({ ...filter, minLevel: level });
        }}
      >
        {logLevels.map((level) => (
          <option key={level} value={level}>
            {t(`log.atLeast.${level}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={t('log.grouping')}
        value={grouping}
        onChange={({ target }) => {
          const chosen = groupings.find((one) => one === target.value);
          if (chosen !== undefined) onGrouping(chosen);
        }}
      >
        {groupings.map((one) => (
          <option key={one} value={one}>
            {t(`log.groupings.${one}`)}
          </option>
        ))}
      </select>
      <Button icon={<ChevronDown aria-hidden="true" />} popoverTarget={`${id}-sources`}>
        {filter.sources === null
          ? t('log.allSources')
          : t('log.someSources', { count: filter.sources.length })}
      </Button>
      <div id={`${id}-sources`} className="popover log-popover" popover="auto">
        <fieldset>
          <legend>{t('log.sources')}</legend>
          {sources.map((source) => (
            <label key={source} className="check">
              <input
                type="checkbox"
                checked={filter.sources === null || filter.sources.includes(source)}
                onChange={({ target }) =>
                  onChange({
                    ...filter,
                    sources: withSource(filter.sources, sources, source, target.checked),
                  })
                }
              />
              <span>{sourceName(source, t)}</span>
            </label>
          ))}
        </fieldset>
        <div className="log-popover-actions">
          <Button onClick={() => onChange({ ...filter, sources: null })}>{t('log.everySource')}</Button>
          <Button look="quiet" onClick={() => onChange({ ...filter, sources: [] })}>
            {t('log.noSource')}
          </Button>
        </div>
      </div>
      <TimeRange
        span={{ from: filter.from, until: filter.until }}
        onChange={(span) =>
          onChange({ minLevel: filter.minLevel, sources: filter.sources, text: filter.text, ...span })
        }
      />
    </div>
  );
}

/** Null stands for all, also for those that come later. */
function withSource(
  chosen: string[] | null,
  all: readonly string[],
  source: string,
  isOn: boolean,
): string[] | null {
  const before = chosen ?? [...all];
  const after = isOn ? [...before, source] : before.filter((one) => one !== source);
  return all.every((one) => after.includes(one)) ? null : after;
}
