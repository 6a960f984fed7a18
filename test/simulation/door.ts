/**
 * The commands of the HTTP interface without its sockets: a request goes to the function that the listener would call,
 * and the answer is what the listener would write. A caller can go away.
 */
import { commands } from '../../src/bridge/listener/command-table.ts';
import { createShutdownSignal } from '../../src/bridge/listener/listener-context.ts';
import { createTerminalTable } from '../../src/bridge/listener/terminal-table.ts';
import { createLongPolls } from '../../src/bridge/listener/long-polls.ts';
import type { RequestContext, ListenerContext } from '../../src/bridge/listener/listener-context.ts';
import type { Currency } from '../../src/contract/money.ts';
import type { Log } from '../../src/log/log.ts';
import type { Payments } from '../../src/bridge/payments/index.ts';
import type { Random } from '../support/random.ts';
import type { BridgeClock } from './bridge-clock.ts';
import type { WorldClock } from './world-clock.ts';

export type CommandName = 'CreatePayment' | 'QueryPayment' | 'CancelPayment' | 'VoidPayment' | 'SubmitBatch';

export type DoorAnswer =
  | { kind: 'answer'; success: true; body: { [field: string]: unknown } }
  | { kind: 'answer'; success: false; code: string; paymentState: string | null; message: string }
  /** The connection ended without an answer. */
  | { kind: 'lost' };

export interface DoorRequest {
  answer: Promise<DoorAnswer>;
  /** The caller closes the connection. */
  goAway(): void;
  readonly gone: boolean;
  /** When the process had it, by its own clocks; null while it waits in the socket. */
  readonly arrivedAt: { nowMs: number; elapsedMs: number } | null;
}

export interface Door {
  ask(command: CommandName, body: { [field: string]: unknown }, waitS: number | null): DoorRequest;
  /** The process is gone: nobody gets an answer any more. */
  cutOff(): void;
}

const moneyCommands = ['CreatePayment', 'VoidPayment', 'SubmitBatch'] as const;

/** Turns of the event loop for which no time goes by. */
const turnsToHearOut = 4;

export function createDoor(parts: {
  payments: Payments;
  clock: BridgeClock;
  world: WorldClock;
  log: Log;
  random: Random;
  currency: Currency;
}): Door {
  const { payments, clock, world, log, currency } = parts;
  const shutdown = createShutdownSignal();
  const terminals = createTerminalTable({ payments, currency }, []);
  const { main } = terminals;
  const context = {
    terminals,
    log,
    clock,
    version: 'simulation',
    limits: { maxLongPolls: 100 },
    makeReferences: false,
    shutdown: () => shutdown,
    port: () => 8080,
    simulated: () => true,
  } as unknown as ListenerContext;
  const longPolls = createLongPolls(context);
  const open = new Set<(answer: DoorAnswer) => void>();
  let requests = 0;

  return {
    ask(name, body, waitS) {
      const command = commands.find(({ path }) => path === `/${name}`);
      if (command === undefined) throw new Error(`there is no command ${name}`);
      requests += 1;
      const requestId = `r${requests}`;
      let requestContext: RequestContext | null = null;
      let gone = false;
      let settle: (answer: DoorAnswer) => void = () => {};
      const answer = new Promise<DoorAnswer>((resolve) => {
        settle = (given) => {
          open.delete(settle);
          if (requestContext !== null) leave(requestContext);
          resolve(given);
        };
      });
      open.add(settle);
      const run = async () => {
        // The listener reads whatever else has arrived on the connection first.
        world.restFor(turnsToHearOut);
        const mine = newRequestContext(requestId, name, () => gone);
        requestContext = mine;
        if (gone) leave(mine);
        const call = {
          context,
          requestContext: mine,
          longPolls,
          requestedWaitS: waitS,
          chosen: main,
          named: false,
        };
        const commandResponse = await command.read(body, { makeReferences: false, currency }).run(call);
        if (commandResponse.ok) return settle({ kind: 'answer', success: true, body: commandResponse.body });
        settle({
          kind: 'answer',
          success: false,
          code: commandResponse.refusal.code,
          paymentState: stateOf(name, body),
          message: commandResponse.refusal.message,
        });
      };
      // The request waits in the socket while the process is stopped.
      clock.enter(
        () =>
          void run().catch((error: unknown) => {
            log.error('a fault in a command', { error });
            settle({
              kind: 'answer',
              success: false,
              code: 'internal_error',
              paymentState: 'unknown',
              message: '',
            });
          }),
      );
      return {
        answer,
        goAway() {
          if (gone) return;
          gone = true;
          // The process hears of it when it runs.
          const mine = requestContext;
          if (mine !== null) clock.enter(() => leave(mine));
          settle({ kind: 'lost' });
        },
        get gone() {
          return gone;
        },
        get arrivedAt() {
          return requestContext?.arrivedAt ?? null;
        },
      };
    },
    cutOff() {
      for (const settle of open) settle({ kind: 'lost' });
    },
  };

  function newRequestContext(requestId: string, name: string, hungUp: () => boolean): RequestContext {
    const arrivedAt = { nowMs: clock.now(), elapsedMs: clock.elapsed() };
    const path = `/${name}`;
    return {
      requestId,
      arrivedAt,
      origin: null,
      path,
      terminal: null,
      money: null,
      gone: null,
      over: false,
      hungUp,
    };
  }

  function leave(requestContext: RequestContext): void {
    requestContext.over = true;
    // Without a word of its own, a signal makes an error with a stack for each request.
    requestContext.gone?.abort('gone');
  }

  function stateOf(name: CommandName, body: { [field: string]: unknown }): string | null {
    const money = moneyCommands.find((one) => one === name);
    if (money === undefined) return null;
    const reference = body['retrieval_reference_number'];
    return payments.paymentState(money, typeof reference === 'string' ? reference : null);
  }
}
