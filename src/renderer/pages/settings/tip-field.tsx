/** How much more than asked the terminal may approve. */
import { useTranslation } from 'react-i18next';
import { Field } from '../../components/field.tsx';
import { NumberInput } from './number-input.tsx';
import { useFixedWords } from './section.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function TipField({ draft }: { draft: SettingsDraft }) {
  const { t, i18n } = useTranslation();
  const { settings, change, problems, view } = draft;
  const { bridge } = settings;
  const fixed = useFixedWords(view)('maxTipPercent');
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20 });
  return (
    <Field
      label={t('settings.terminal.maxTip')}
      hint={fixed ?? t('settings.terminal.maxTipHint')}
      problem={problems['maxTipPercent'] ?? null}
    >
      {(tie) => (
        <NumberInput
          tie={tie}
          className="settings-tip"
          inputMode="decimal"
          value={bridge.maxTipPercent}
          disabled={fixed !== undefined}
          parse={percentOf}
          format={(value) => format.format(value)}
          onChange={(maxTipPercent) => change({ ...settings, bridge: { ...bridge, maxTipPercent } })}
        />
      )}
    </Field>
  );
}

/** With a point or a comma, as people write it. */
function percentOf(text: string): number {
  const written = text.trim().replace(',', '.');
  return /^\d{1,3}(\.\d{1,4})?$/.test(written) ? Number(written) : Number.NaN;
}
