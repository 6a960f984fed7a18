/**
 * Registration (06 00) in the largest form that the terminal takes. A terminal that does not know a part of it refuses
 * the whole, with 83 (unknown, or not possible now) or 9A (protocol error), so that part is left out:
 *
 *     full   P config CC 06 …     with a TLV container
 *     plain  P config CC          no_tlv
 *     bare   P config             no_currency; for EUR only, which is what a terminal takes a missing CC for
 *
 * A terminal at work refuses with 83 as well. So before anything is learnt from an 83, the larger form is tried once
 * more after the smaller one was taken.
 */
import type { TerminalTrait } from '../../../contract/terminal.ts';
import type { Currency } from '../../../contract/money.ts';
import { hex, bitmap, notPossibleCode, protocolErrorCode } from './wire/index.ts';
import { registration, registrationCtrl, type RegistrationForm } from './command-apdus.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { notReadyAfterRefusal, type NotReady } from './reasons.ts';
import { enquire, type EnquiryOutcome } from './enquiry.ts';

/** What a terminal takes that names no currency (ZVT PA00P015, data formats). */
export const impliedCurrency: Currency = 'EUR';

/** `refused`: in every form, so the terminal is at work, or does not know it; its status tells which. */
export type Registered =
  { kind: 'registered' } | { kind: 'refused' } | { kind: 'not_ready'; notReady: NotReady };

const lessons: Readonly<Record<RegistrationForm, { trait: TerminalTrait; explanation: string } | null>> = {
  full: null,
  plain: { trait: 'no_tlv', explanation: 'The terminal refuses a registration with a TLV container.' },
  bare: { trait: 'no_currency', explanation: 'The terminal refuses a registration that names a currency.' },
};

export async function registerAtTerminal(context: ExchangeContext): Promise<Registered> {
  const forms = formsFor(context);
  let larger: { form: RegistrationForm; code: number | null } | null = null;
  for (const form of forms) {
    const outcome = await enquireRegistration(context, form);
    if (outcome.kind === 'completed') {
      return larger === null ? { kind: 'registered' } : learnFrom(context, form, larger);
    }
    if (outcome.kind !== 'refused') return { kind: 'not_ready', notReady: outcome };
    if (!isRefusalOfForm(outcome.code)) {
      const notReady = notReadyAfterRefusal(
        context,
        outcome.code,
        'The terminal refuses to register this till',
      );
      return { kind: 'not_ready', notReady };
    }
    larger = { form, code: outcome.code };
  }
  return { kind: 'refused' };
}

/** `form` was taken after `larger` had been refused. */
async function learnFrom(
  context: ExchangeContext,
  form: RegistrationForm,
  larger: { form: RegistrationForm; code: number | null },
): Promise<Registered> {
  if (larger.code === notPossibleCode) {
    const outcome = await enquireRegistration(context, larger.form);
    if (outcome.kind === 'completed') return { kind: 'registered' };
    if (outcome.kind !== 'refused') return { kind: 'not_ready', notReady: outcome };
  }
  const lesson = lessons[form];
  if (lesson !== null) context.traits.learn(lesson.trait, lesson.explanation);
  return { kind: 'registered' };
}

function formsFor({ traits, currency }: ExchangeContext): RegistrationForm[] {
  const forms: RegistrationForm[] = [];
  if (!traits.has('no_currency')) {
    if (!traits.has('no_tlv')) forms.push('full');
    forms.push('plain');
  }
  if (currency === impliedCurrency) forms.push('bare');
  return forms;
}

async function enquireRegistration(
  context: ExchangeContext,
  form: RegistrationForm,
): Promise<EnquiryOutcome> {
  const { settings, currency } = context;
  const outcome = await enquire(context, {
    ctrl: registrationCtrl,
    apdu: registration(settings, currency, form),
    takes: [],
    isCompletion: () => true,
    lateResults: 'adopt',
  });
  if (outcome.kind === 'completed') {
    const terminalId = bitmap(outcome.completion, '29');
    context.ids.registered(terminalId === null ? null : hex(terminalId));
    context.registeredAt = context.clock.elapsed();
  }
  return outcome;
}

function isRefusalOfForm(code: number | null): boolean {
  return code === notPossibleCode || code === protocolErrorCode;
}
