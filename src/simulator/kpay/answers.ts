/** What the simulated terminal answers, by code. */
import { answerCode } from '../../bridge/terminals/kpay/wire/index.ts';
import type { KpayScenario } from './dialects.ts';

export interface Answer {
  code: number;
  message?: string;
  data?: unknown;
  /** Of an operation that begins with it. */
  scenario?: KpayScenario;
}

export const refusal = (code: number, message: string): Answer => ({ code, message });

export const accepted: Answer = { code: answerCode.accepted, data: {} };
export const badRequest = refusal(answerCode.badRequest, 'Request parameter error');
export const duplicate = refusal(answerCode.numberUsed, 'Transaction number already exists');
export const busy = refusal(answerCode.busy, 'Terminal busy');
export const nothingToSettle = refusal(answerCode.nothingToSettle, 'Settlement data is empty');
