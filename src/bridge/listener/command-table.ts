/** The five commands: what each takes, what it asks of payments, and how it responds. */
import type { z } from 'zod';
import {
  cancelPaymentRequestSchema,
  createPaymentRequestSchema,
  defaultConditionCode,
  defaultOperationWaitS,
  maxOperationWaitS,
  missingReference,
  queryPaymentRequestSchema,
  submitBatchRequestSchema,
  voidPaymentRequestSchema,
} from '../../contract/http-commands.ts';
import { parseAmount } from '../../contract/money.ts';
import type { Refusal, Result } from '../../contract/errors.ts';
import { shownReference } from '../../log/index.ts';
import type { RequestContext, ListenerContext } from './listener-context.ts';
import { fieldReader, invalidRequest } from './command-fields.ts';
import type { CommandSchema, Fields, Issue } from './command-fields.ts';
import { batchOf, discrepancyFields, paymentFields, receiptOf } from './payment-bodies.ts';
import { discrepancyMessage, money, paymentMessage, repeatedMessage } from './payment-sentences.ts';
import type { Payment } from './payment-sentences.ts';
import type { LongPolls } from './long-polls.ts';
import type { ResponseBody } from './responses.ts';
import { onOtherTerminal, type ListenerTerminal } from './terminal-table.ts';
import type { Caller } from '../payments/index.ts';

/** One call of a command, after the guards. */
interface Call {
  context: ListenerContext;
  requestContext: RequestContext;
  longPolls: LongPolls;
  /** From `Prefer: wait=N`; null when the caller says nothing. */
  requestedWaitS: number | null;
  /** The terminal that the header names, or the main one. */
  chosen: ListenerTerminal;
  /** There is such a header. */
  named: boolean;
}

/** `appliedS` goes into `Preference-Applied`; `reference` into the log, where the request does not name the payment. */
export type CommandResponse = {
  appliedS: number | null;
  reference?: string | undefined;
  /** It is the response to an earlier call of the same. */
  repeated?: boolean;
} & ({ ok: true; body: ResponseBody } | { ok: false; refusal: Refusal });

export interface Command {
  path: string;
  schema: CommandSchema;
  read(body: Record<string, unknown>, settings: RequestSettings): ReadRequest;
}

/** What a right request depends on besides its schema. */
type RequestSettings = Pick<ListenerContext, 'makeReferences'> & Pick<ListenerTerminal, 'currency'>;

/** A body that has been read; what is wrong with it is the response. */
interface ReadRequest {
  /** Names of fields that the command does not know. */
  unknown: readonly string[];
  run(call: Call): Promise<CommandResponse>;
}

const createPayment = commandOf(
  '/CreatePayment',
  createPaymentRequestSchema,
  createPaymentReader(),
  async (request, call) => {
    const { requestContext, longPolls } = call;
    const { payments } = call.chosen;
    const result = await payments.createPayment({
      ...request,
      caller: callerOf(requestContext, (call.requestedWaitS ?? 0) > 0),
    });
    if (!result.ok) return refused(result.refusal);
    const { repeated } = result.value;
    const { payment, appliedS } = await longPolls.forNews(
      payments,
      requestContext,
      result.value.payment,
      call.requestedWaitS,
    );
    const sentence = paymentMessage(payment);
    const message = repeated ? `${sentence} ${repeatedMessage(payment)}` : sentence;
    const body = { success: true, message, ...paymentFields(payment), ...(repeated ? { repeated } : {}) };
    return { ok: true, body, appliedS, reference: payment.reference, repeated };
  },
);

const queryPayment = command('/QueryPayment', queryPaymentRequestSchema, async (request, call) => {
  const { terminals } = call.context;
  const reference = request.retrieval_reference_number;
  // A payment that waits for its terminal to be read is not in the journal yet: "not found" would be a lie.
  await terminals.admitted(reference);
  // Whatever terminal the till has named: it asks about a payment, and there is one at most.
  const { payments } = forTerminal(call, terminals.withReference(reference, call.chosen));
  const found = payments.queryPayment(reference);
  if (!found.ok) return refused(found.refusal);
  const { payment, appliedS } = await call.longPolls.forNews(
    payments,
    call.requestContext,
    found.value,
    call.requestedWaitS,
  );
  const discrepancy = payments.discrepancyOf(reference);
  const sentence = paymentMessage(payment);
  const body = {
    success: true,
    message: discrepancy === null ? sentence : `${sentence} ${discrepancyMessage(discrepancy)}`,
    ...paymentFields(payment),
    receipt: receiptOf(payment),
    discrepancy: discrepancy === null ? null : discrepancyFields(discrepancy),
  };
  return { ok: true, body, appliedS };
});

const cancelPayment = command('/CancelPayment', cancelPaymentRequestSchema, async (request, call) => {
  const wanted = request.retrieval_reference_number;
  const holder = wanted === undefined ? { ok: true as const, value: call.chosen } : holderOf(call, wanted);
  if (!holder.ok) return refused(holder.refusal);
  const { payments } = holder.value;
  // "Withdrawn" has to be true of every terminal: the one that is asked must not leave the payment to another.
  if (wanted !== undefined && !call.named)
    for (const other of call.context.terminals.admitting(wanted))
      if (other !== holder.value) void other.payments.cancelPayment(wanted);
  const { currentOperation } = payments.status();
  const reference = currentOperation?.kind === 'sale' ? (currentOperation.reference ?? undefined) : undefined;
  const result = await call.longPolls.forWork(payments.cancelPayment(wanted ?? null));
  if (result === null) return { ...stopped('The cancel'), reference };
  if (!result.ok) return { ...refused(result.refusal), reference };
  const { payment } = result.value;
  if (payment === null) return done('The payment was withdrawn; nothing was sent to the terminal.', null);
  return {
    ...done(`The payment has ended: ${paymentMessage(payment)}`, null),
    reference: payment.reference,
  };
});

const voidPayment = command('/VoidPayment', voidPaymentRequestSchema, async (request, call) => {
  const { waitS, appliedS } = operationWait(call.requestedWaitS);
  const reference = request.retrieval_reference_number;
  const holder = holderOf(call, reference);
  if (!holder.ok) return refused(holder.refusal, appliedS);
  const work = holder.value.payments.voidPayment(
    reference,
    waitS * 1_000,
    callerOf(call.requestContext, true),
  );
  const result = await call.longPolls.forWork(work);
  if (result === null) return stopped('The reversal', appliedS);
  if (!result.ok) return refused(result.refusal, appliedS);
  const { payment, repeated } = result.value;
  return { ...done(voidSentence(payment, repeated), appliedS), repeated };
});

const submitBatch = command('/SubmitBatch', submitBatchRequestSchema, async (_request, call) => {
  const { waitS, appliedS } = operationWait(call.requestedWaitS);
  const result = await call.longPolls.forWork(
    call.chosen.payments.submitBatch(waitS * 1_000, callerOf(call.requestContext, true)),
  );
  if (result === null) return stopped('The batch', appliedS);
  if (!result.ok) return refused(result.refusal, appliedS);
  const { batch, text } = result.value;
  return {
    ok: true,
    body: { success: true, message: text, batch: batch === null ? null : batchOf(batch) },
    appliedS,
  };
});

export const commands: readonly Command[] = [
  createPayment,
  cancelPayment,
  queryPayment,
  voidPayment,
  submitBatch,
];

/** Ties the request's schema to what reads it, and to what is done with what was read. */
function commandOf<T>(
  path: string,
  schema: CommandSchema,
  readFields: (body: Record<string, unknown>, settings: RequestSettings) => Fields<T>,
  act: (request: T, call: Call) => Promise<CommandResponse>,
): Command {
  return {
    path,
    schema,
    read(body, settings) {
      const fields = readFields(body, settings);
      const { unknown } = fields;
      if (fields.ok) return { unknown, run: (call) => act(fields.value, call) };
      const refusal = invalidRequest(fields.issues);
      return { unknown, run: () => Promise.resolve({ ok: false, refusal, appliedS: null }) };
    },
  };
}

/** A command whose schema says all that its request has to be. */
function command<S extends CommandSchema>(
  path: string,
  schema: S,
  act: (request: z.output<S>, call: Call) => Promise<CommandResponse>,
): Command {
  return commandOf(path, schema, fieldReader(schema), act);
}

/** The terminal that has the payment, whether the request names none or that one; never another than it names. */
function holderOf(call: Call, reference: string): Result<ListenerTerminal> {
  const { chosen, named, context } = call;
  const holder = context.terminals.withReference(reference, chosen);
  if (named && holder !== chosen && context.terminals.knows(holder, reference))
    return onOtherTerminal(shownReference(reference), holder.name, chosen.name);
  return { ok: true, value: forTerminal(call, holder) };
}

/** From now on the request is about this terminal, and its response says so. */
function forTerminal({ requestContext }: Call, terminal: ListenerTerminal): ListenerTerminal {
  requestContext.terminal = terminal;
  return terminal;
}

interface CreatePaymentOrder {
  amountMinor: number;
  /** Null: the bridge makes one. */
  reference: string | null;
  conditionCode: string;
}

/** Reads the fields, and what depends on settings: the currency's own rules, and whether a reference is demanded. */
function createPaymentReader() {
  const readFields = fieldReader(createPaymentRequestSchema);
  return (
    body: Record<string, unknown>,
    { currency, makeReferences }: RequestSettings,
  ): Fields<CreatePaymentOrder> => {
    const fields = readFields(body);
    const { unknown } = fields;
    const issues: Issue[] = fields.ok ? [] : fields.issues;
    const hasForm = !issues.some(({ path }) => path === 'amount');
    const amount = hasForm ? parseAmount(String(body['amount']), currency) : null;
    if (amount?.ok === false) issues.push({ path: 'amount', message: amount.message });
    const name = 'retrieval_reference_number';
    if (!makeReferences && !Object.hasOwn(body, name)) issues.push({ path: name, message: missingReference });
    if (!fields.ok || amount?.ok !== true || issues.length > 0) return { ok: false, issues, unknown };
    const { retrieval_reference_number: reference, condition_code: conditionCode } = fields.value;
    const { amountMinor } = amount;
    const value = {
      amountMinor,
      reference: reference ?? null,
      conditionCode: conditionCode ?? defaultConditionCode,
    };
    return { ok: true, value, unknown };
  };
}

function operationWait(requestedWaitS: number | null): { waitS: number; appliedS: number | null } {
  if (requestedWaitS === null) return { waitS: defaultOperationWaitS, appliedS: null };
  const appliedS = Math.min(requestedWaitS, maxOperationWaitS);
  return { waitS: appliedS, appliedS };
}

function voidSentence(payment: Payment, repeated: boolean): string {
  if (repeated && payment.status === 'voided') {
    return `${money(payment.amountMinor, payment.currency)} was reversed before; nothing new was started.`;
  }
  return paymentMessage(payment);
}

function done(message: string, appliedS: number | null): CommandResponse {
  return { ok: true, body: { success: true, message }, appliedS };
}

function refused(refusal: Refusal, appliedS: number | null = null): CommandResponse {
  if (refusal.code !== 'invalid_request' || refusal.issues !== undefined)
    return { ok: false, refusal, appliedS };
  const { code, message } = refusal;
  return { ok: false, refusal: { code, message, issues: [{ path: '', message }] }, appliedS };
}

/** It may not have been journaled yet, and begins all the same: what the journal says of the money is not all. */
function stopped(what: string, appliedS: number | null = null): CommandResponse {
  const message = `The bridge does not wait any longer: it is stopping, or too many wait already. ${what} goes on; query the payment.`;
  return { ok: false, refusal: { code: 'terminal_timeout', message, paymentState: 'unknown' }, appliedS };
}

/** Who asks for something that moves money, as payments has to know it. */
function callerOf(requestContext: RequestContext, waits: boolean): Caller {
  return {
    arrivedAt: requestContext.arrivedAt,
    allRead: allThatHasArrived,
    gone: () => requestContext.over || requestContext.hungUp(),
    waits,
  };
}

/**
 * Until what has arrived behind the request is read: after a process stood still or a machine slept, the hang-up of a
 * caller who gave up long ago waits right behind the request. Immediates alternate with reading, so the second one comes
 * after a look at every socket.
 */
function allThatHasArrived(): Promise<void> {
  return new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)));
}
