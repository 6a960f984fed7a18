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
  'unsupported_media_type',
  'invalid_json',
  'invalid_request',
  'not_found',
  'method_not_allowed',
  'terminal_unavailable',
  'payment_unresolved',
  'journal_unavailable',
  'reference_conflict',
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

/** The sentence of a finding: what is so, and what to do. */
export function useFindingText(): (finding: DiagnosisFinding) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const reason = usePosReason();
  return ({ finding, values }) => {
    const { free, code, caller, ...others } = values;
    const named = {
      ...others,
      ...(free === undefined ? {} : { free: formats.bytes(Number(free)) }),
      ...(code === undefined ? {} : { reason: reason(String(code)) }),
      ...(caller === undefined
        ? {}
        : { caller: caller === '' ? t('diagnosis.calls.unknownCaller') : caller }),
    };
    return t(`diagnosis.finding.${finding}`, named).trim();
  };
}
