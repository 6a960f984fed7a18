import { useTranslation } from 'react-i18next';
import type { DiagnosisFinding } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';

/** Refusals that a POS gets for what is wrong with it or around it. */
const explained = [
  'unauthorized',
  'origin_not_allowed',
  'host_not_allowed',
  'api_version_missing',
  'api_version_unsupported',
  'unknown_terminal',
  'unsupported_media_type',
  'invalid_json',
  'invalid_request',
  'not_found',
  'method_not_allowed',
  'terminal_unavailable',
  'payment_unresolved',
  'journal_unavailable',
  'reference_conflict',
  'reference_on_other_terminal',
  'terminal_error',
  'internal_error',
] as const;

/** Why a call of the POS was refused, in a sentence's end. */
function usePosReason(): (code: string) => string {
  const { t } = useTranslation();
  return (code) => {
    const known = explained.find((one) => one === code);
    return known === undefined ? t('diagnosis.posCode.other', { code }) : t(`diagnosis.posCode.${known}`);
  };
}

/** Findings that may know the name of what they found, and have another sentence then. */
const nameOf = {
  cable_seen: 'name',
  registered: 'terminal',
  record_shown: 'receipt',
  journal_written: 'size',
} as const;
const canBeNamed = (finding: string): finding is keyof typeof nameOf => Object.hasOwn(nameOf, finding);

/** The sentence of a finding: what is so, and what to do. */
export function useFindingText(): (finding: DiagnosisFinding) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const reason = usePosReason();
  return ({ finding, values }) => {
    const { free, size, events, code, caller, ...others } = values;
    const named = {
      ...others,
      ...(free === undefined ? {} : { free: formats.bytes(Number(free)) }),
      ...(size === undefined ? {} : { size: formats.bytes(Number(size)) }),
      ...(events === undefined ? {} : { events: formats.number(Number(events)) }),
      ...(code === undefined ? {} : { reason: reason(String(code)) }),
      ...(caller === undefined
        ? {}
        : { caller: caller === '' ? t('diagnosis.calls.unknownCaller') : caller }),
    };
    const isNamed = canBeNamed(finding) && (values[nameOf[finding]] ?? '') !== '';
    return isNamed ? t(`diagnosis.named.${finding}`, named) : t(`diagnosis.finding.${finding}`, named);
  };
}
