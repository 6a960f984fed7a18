/** Methods that act on the bridge. Each call is logged with its result. */
import { isOrdinaryRefusal } from '../../contract/errors.ts';
import { defaultOperationWaitS } from '../../contract/http-commands.ts';
import { terminalCheckWaitMs } from '../../contract/in-doubt.ts';
import type { ConsoleResult, PaymentView } from '../../contract/console/index.ts';
import type { Bridge, BridgeTerminal } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';
import type { PaymentsApi } from '../../bridge/payments/index.ts';
import { onTerminalOf, paymentView } from '../views/payment-views.ts';
import {
  onBridge,
  onPayment,
  onTerminal,
  type ChosenTerminal,
  type MethodHandlers,
  type MethodContext,
  done,
  refused,
  consoleResultOf,
} from './context.ts';

const waitMs = defaultOperationWaitS * 1_000;

export function actions(
  context: MethodContext,
): MethodHandlers<
  | 'startListener'
  | 'stopListener'
  | 'cancelPayment'
  | 'voidPayment'
  | 'testPayment'
  | 'submitBatch'
  | 'checkTerminal'
  | 'receiptPrinted'
  | 'resolve'
  | 'acknowledge'
  | 'update'
> {
  const { supervisor, log } = context;

  async function logged<T>(
    what: string,
    fields: Record<string, unknown>,
    pending: ConsoleResult<T> | Promise<ConsoleResult<T>>,
  ): Promise<ConsoleResult<T>> {
    const result = await pending;
    if (result.ok) {
      log.info(`${what}: done`, fields);
    } else {
      const { code, message: reason } = result.refusal;
      log[isOrdinaryRefusal(code) ? 'info' : 'warn'](`${what}: refused`, { ...fields, code, reason });
    }
    return result;
  }

  return {
    startListener: () =>
      logged(
        'start the listener',
        {},
        onBridge(context, async () => {
          return (await supervisor.listener.start())
            ? done({})
            : refused('no_bridge', 'The bridge is stopping. Try again when it runs.');
        }),
      ),
    stopListener: () =>
      logged(
        'stop the listener',
        {},
        onBridge(context, async () => {
          await supervisor.listener.stop();
          return done({});
        }),
      ),
    cancelPayment: ({ reference, terminal }) =>
      logged(
        'cancel a payment',
        { reference, ...named(terminal) },
        onReference(context, reference, terminal, async (chosen) =>
          consoleResultOf(await chosen.payments.cancelPayment(reference), ({ payment }) => ({
            payment: payment === null ? null : viewOn(chosen, payment),
          })),
        ),
      ),
    voidPayment: ({ reference, terminal }) =>
      logged(
        'void a payment',
        { reference, ...named(terminal) },
        onReference(context, reference, terminal, async (chosen) =>
          consoleResultOf(await chosen.payments.voidPayment(reference, waitMs), ({ payment }) => ({
            payment: viewOn(chosen, payment),
          })),
        ),
      ),
    receiptPrinted: ({ transactionId }) =>
      onPayment(context, transactionId, (row, _journal, terminal) => {
        context.log.info('a receipt is printed', { operation_id: transactionId, reference: row.reference });
        context.printedReceipts(terminal).add(row);
        return done({});
      }),
    testPayment: ({ amountMinor, terminal }) =>
      logged(
        'make a test payment',
        named(terminal),
        onTerminal(context, terminal, async (chosen) => {
          const { payments } = chosen;
          // Where real money moves, only the POS asks for it.
          if (!payments.status().terminal.simulated)
            return refused('method_not_allowed', 'A test payment is only possible on the simulator.');
          const made = await payments.createPayment({ amountMinor, reference: null, conditionCode: '00' });
          return consoleResultOf(made, ({ payment }) => ({ payment: viewOn(chosen, payment) }));
        }),
      ),
    submitBatch: ({ terminal }) =>
      logged(
        'close the batch',
        named(terminal),
        onTerminal(context, terminal, async ({ payments }) =>
          consoleResultOf(await payments.submitBatch(waitMs), ({ text }) => ({ text })),
        ),
      ),
    checkTerminal({ terminal }) {
      if (terminal !== undefined) {
        return onTerminal(context, terminal, async ({ payments }) =>
          done(await payments.checkTerminal(terminalCheckWaitMs)),
        );
      }
      return onBridge(context, async ({ bridge }) => {
        const doubtful = bridge.terminals.filter(({ payments }) => payments.operationsInDoubt().length > 0);
        const asked = doubtful.length === 0 ? [bridge] : doubtful;
        const checks = await Promise.all(
          asked.map(({ payments }) => payments.checkTerminal(terminalCheckWaitMs)),
        );
        const [first = await bridge.payments.checkTerminal(terminalCheckWaitMs)] = checks;
        // One of several has to be told: that which still keeps somebody waiting.
        return done(checks.find(({ kind }) => kind !== 'answered') ?? first);
      });
    },
    // The desktop app answers it itself.
    update: () => refused('invalid_request', 'This bridge does not install updates by itself.'),
    resolve: (request) =>
      logged(
        'decide what is in doubt',
        { operation_id: request.operationId, resolution: request.resolution, by: request.by },
        onBridge(context, ({ bridge }) => {
          const terminalUnreachable = request.terminalUnreachable === true;
          const payments = holderOf(bridge, ({ operationsInDoubt }) =>
            operationsInDoubt().some(({ operationId }) => operationId === request.operationId),
          );
          return consoleResultOf(payments.resolve({ ...request, terminalUnreachable }), () => ({}));
        }),
      ),
    acknowledge: (request) =>
      logged(
        'acknowledge a discrepancy',
        { discrepancy_id: request.discrepancyId, by: request.by },
        onBridge(context, ({ bridge }) => {
          const payments = holderOf(bridge, ({ discrepancies }) =>
            discrepancies().some(({ discrepancyId }) => discrepancyId === request.discrepancyId),
          );
          return consoleResultOf(payments.acknowledge(request), () => ({}));
        }),
      ),
  };
}

/** For the log. */
function named(terminal: string | undefined): { terminal?: string } {
  return terminal === undefined ? {} : { terminal };
}

function viewOn({ name, journal }: BridgeTerminal, payment: PaymentRow): PaymentView {
  return { ...paymentView(payment, journal), ...onTerminalOf(name) };
}

/** On the terminal that is named, and on no other; where none is, on that which has the payment. */
function onReference<T>(
  context: MethodContext,
  reference: string,
  terminal: string | undefined,
  handle: (chosen: ChosenTerminal) => Promise<ConsoleResult<T>>,
): ConsoleResult<T> | Promise<ConsoleResult<T>> {
  return onBridge(context, ({ bridge }) => {
    const holder = bridge.terminals.find(
      ({ payments }) => payments.admission(reference) !== null || payments.queryPayment(reference).ok,
    );
    return onTerminal(context, terminal ?? holder?.name, handle);
  });
}

/** Of all terminals that one on which it is; otherwise the main one, which says that there is no such thing. */
function holderOf({ payments, terminals }: Bridge, has: (payments: PaymentsApi) => boolean): PaymentsApi {
  return terminals.find((terminal) => has(terminal.payments))?.payments ?? payments;
}
