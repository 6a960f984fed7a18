/** Questions that ask the bridge to do something. Each is in the log with what came of it. */
import { defaultOperationWaitS } from '../../contract/commands.ts';
import type { ConsoleResult } from '../../contract/console/index.ts';
import { paymentView } from '../views/payment-view.ts';
import { onBridge, type Answers, type MethodContext } from './context.ts';
import { done, refused, consoleResultOf } from './result.ts';

const waitMs = defaultOperationWaitS * 1_000;

export function commands(
  context: MethodContext,
): Answers<
  | 'startListener'
  | 'stopListener'
  | 'cancelPayment'
  | 'voidPayment'
  | 'submitBatch'
  | 'resolve'
  | 'acknowledge'
> {
  const { supervisor, log } = context;

  async function noted<T>(
    what: string,
    fields: Record<string, unknown>,
    reply: ConsoleResult<T> | Promise<ConsoleResult<T>>,
  ): Promise<ConsoleResult<T>> {
    const given = await reply;
    if (given.ok) log.info(`${what}: done`, fields);
    else log.info(`${what}: refused`, { ...fields, code: given.refusal.code, reason: given.refusal.message });
    return given;
  }

  return {
    startListener: () =>
      noted(
        'start the listener',
        {},
        onBridge(context, async () => {
          return (await supervisor.listener.start())
            ? done({})
            : refused('no_bridge', 'The bridge is stopping. Try again when it runs.');
        }),
      ),
    stopListener: () =>
      noted(
        'stop the listener',
        {},
        onBridge(context, async () => {
          await supervisor.listener.stop();
          return done({});
        }),
      ),
    cancelPayment: ({ reference }) =>
      noted(
        'cancel a payment',
        { reference },
        onBridge(context, async ({ bridge }) =>
          consoleResultOf(await bridge.payments.cancelPayment(reference), ({ payment }) => ({
            payment: payment === null ? null : paymentView(payment),
          })),
        ),
      ),
    voidPayment: ({ reference }) =>
      noted(
        'void a payment',
        { reference },
        onBridge(context, async ({ bridge }) =>
          consoleResultOf(await bridge.payments.voidPayment(reference, waitMs), ({ payment }) => ({
            payment: paymentView(payment),
          })),
        ),
      ),
    submitBatch: () =>
      noted(
        'close the batch',
        {},
        onBridge(context, async ({ bridge }) =>
          consoleResultOf(await bridge.payments.submitBatch(waitMs), ({ text }) => ({ text })),
        ),
      ),
    resolve: (request) =>
      noted(
        'decide what is in doubt',
        { operation_id: request.operationId, resolution: request.resolution, by: request.by },
        onBridge(context, ({ bridge }) => {
          const terminalUnreachable = request.terminalUnreachable === true;
          return consoleResultOf(bridge.payments.resolve({ ...request, terminalUnreachable }), () => ({}));
        }),
      ),
    acknowledge: (request) =>
      noted(
        'acknowledge a discrepancy',
        { discrepancy_id: request.discrepancyId, by: request.by },
        onBridge(context, ({ bridge }) => consoleResultOf(bridge.payments.acknowledge(request), () => ({}))),
      ),
  };
}
