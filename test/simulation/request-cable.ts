/**
 * The network between the bridge and a terminal that is asked by requests, and what can happen to them. Each request has a
 * connection of its own; what was written may arrive or not, early, late or twice, and the bridge hears the answer, that the
 * connection broke, or nothing. What it has given up arrives no more; what its process has left behind when it died may.
 */
import { peerDeadline } from '../../src/base/clock.ts';
import type {
  KpayRequest,
  KpayTransport,
  TransportResult,
} from '../../src/bridge/terminals/kpay/transport.ts';
import type { Random } from '../support/random.ts';
import type { Cable, CableUser, Direction, Disturbance } from './cable.ts';
import type { WorldClock } from './world-clock.ts';

interface RequestCable extends Cable {
  /** The way to the terminal for one process. */
  transportFor(user: CableUser): KpayTransport;
}

interface RequestCableOptions {
  world: WorldClock;
  random: Random;
  terminal: {
    /** False while it has no power: no connection can be made. */
    readonly accepting: boolean;
    /** Null: the connection breaks instead. */
    handle(request: KpayRequest): Promise<{ status: number; body: Uint8Array } | null>;
  };
  /** Called when a request or an answer goes into the network. */
  onPiece(direction: Direction): void;
  /** Called before a request goes in twice. */
  onRepeat(): void;
  trace(text: () => string): void;
}

/** One request, for as long as the bridge waits for its answer. */
interface Exchange {
  user: CableUser;
  over: boolean;
  /** In a turn of the process, when that runs; not at all when the exchange is over. */
  end(result: TransportResult): void;
}

const usualDelayMs = 3;
const connectTimeoutMs = 3_000;
const answerTimeoutMs = 10_000;
/** A second copy comes at once, or when the terminal would take the same path again. */
const copyDelaysMs = [5, 1_500] as const;
const reset: TransportResult = { kind: 'no_answer', reason: 'the connection was reset' };
const refused: TransportResult = { kind: 'not_sent', reason: 'the connection was refused' };

export function createRequestCable(options: RequestCableOptions): RequestCable {
  const { world, random, terminal, trace } = options;
  const disturbances: { direction: Direction; disturbance: Disturbance; left: number }[] = [];
  const exchanges = new Set<Exchange>();
  let cutUntilMs = 0;

  const isCut = () => world.elapsed() < cutUntilMs;

  function later(delayMs: number, call: () => void): void {
    world.after(random.integer(1, usualDelayMs) + delayMs, call);
  }

  /** What happens to the next piece that goes this way. */
  function disturbanceOf(direction: Direction): Disturbance | null {
    options.onPiece(direction);
    const at = disturbances.findIndex((one) => one.direction === direction);
    const found = disturbances[at];
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left <= 0) disturbances.splice(at, 1);
    const { disturbance } = found;
    trace(() => `network: ${disturbance.kind}, ${direction.replace('_', ' ')}`);
    return disturbance;
  }

  /** Through a cut that lasts shorter than somebody waits for it; what was given up arrives no more. */
  function arrive(exchange: Exchange, delayMs: number, call: () => void): void {
    later(delayMs, () => {
      if (isCut()) {
        if (!exchange.over && !exchange.user.dead)
          arrive(exchange, cutUntilMs - world.elapsed() + usualDelayMs, call);
      } else if (!exchange.over || exchange.user.dead) call();
    });
  }

  function carry(exchange: Exchange, request: KpayRequest): void {
    const disturbance = disturbanceOf('to_terminal');
    const take = (delayMs = 0, isHeard = true) =>
      arrive(exchange, delayMs, () => void handle(exchange, request, isHeard));
    switch (disturbance?.kind) {
      case undefined:
        return take();
      case 'lose':
      case 'damage':
        return breakOff(exchange);
      case 'repeat': {
        options.onRepeat();
        // The bridge hears the answer to the one or to the other.
        const first = random.chance(0.5);
        take(0, first);
        return take(random.pick(copyDelaysMs), !first);
      }
      case 'split':
        return take(disturbance.gapMs);
      case 'delay':
        return take(disturbance.delayMs);
      case 'cut':
        if (disturbance.share < 0.5) take();
        return later(usualDelayMs, () => cable.cut(disturbance.durationMs));
    }
  }

  async function handle(exchange: Exchange, request: KpayRequest, isHeard: boolean): Promise<void> {
    if (!terminal.accepting) return;
    const answer = await terminal.handle(request);
    if (!isHeard || exchange.over || !terminal.accepting) return;
    if (answer === null) return exchange.end(reset);
    giveBack(exchange, { kind: 'response', ...answer });
  }

  function giveBack(exchange: Exchange, answer: TransportResult): void {
    const disturbance = disturbanceOf('to_bridge');
    const give = (delayMs = 0) => arrive(exchange, delayMs, () => exchange.end(answer));
    switch (disturbance?.kind) {
      case undefined:
      case 'repeat':
        return give();
      case 'lose':
        return breakOff(exchange);
      case 'damage':
        return exchange.end({ kind: 'no_answer', reason: 'the answer broke off' });
      case 'split':
        return give(disturbance.gapMs);
      case 'delay':
        // Some answers come when nobody waits for them any more.
        return give(disturbance.delayMs + (random.chance(0.3) ? answerTimeoutMs : 0));
      case 'cut':
        if (disturbance.share < 0.5) give();
        return later(usualDelayMs, () => cable.cut(disturbance.durationMs));
    }
  }

  /** The bridge hears of it, or waits in vain. */
  function breakOff(exchange: Exchange): void {
    if (random.chance(0.5)) later(0, () => exchange.end(reset));
  }

  function send(user: CableUser, request: KpayRequest, signal: AbortSignal): Promise<TransportResult> {
    return new Promise((resolve) => {
      const { clock } = user;
      let written = false;
      let cancelDeadline = () => {};
      const finish = (result: TransportResult) => {
        if (exchange.over) return;
        exchange.over = true;
        exchanges.delete(exchange);
        cancelDeadline();
        signal.removeEventListener('abort', onAbort);
        resolve(result);
      };
      const fail = (reason: string) => finish({ kind: written ? 'no_answer' : 'not_sent', reason });
      const onAbort = () => fail('it was no longer wanted');
      const exchange: Exchange = {
        user,
        over: false,
        end: (result) => clock.enter(() => finish(result)),
      };
      if (user.dead) return;
      exchanges.add(exchange);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) return onAbort();
      cancelDeadline = peerDeadline(clock, connectTimeoutMs, () => fail('no connection in time'));
      // Where the network is cut, nobody is there who would refuse.
      arrive(exchange, 0, () =>
        clock.enter(() => {
          if (exchange.over) return;
          if (!terminal.accepting) return finish(refused);
          user.beforeWrite();
          if (user.dead || exchange.over) return;
          cancelDeadline();
          cancelDeadline = peerDeadline(clock, answerTimeoutMs, () => fail('no answer in time'));
          written = true;
          carry(exchange, request);
          user.afterWrite();
        }),
      );
    });
  }

  const cable: RequestCable = {
    transportFor: (user) => ({ send: (request, signal) => send(user, request, signal) }),
    disturb(direction, disturbance, pieces) {
      disturbances.push({ direction, disturbance, left: pieces });
    },
    cut(durationMs) {
      trace(() => `network: cut for ${durationMs} ms`);
      cutUntilMs = Math.max(cutUntilMs, world.elapsed() + durationMs);
      for (const exchange of exchanges) breakOff(exchange);
    },
    drop(user) {
      for (const exchange of exchanges) if (exchange.user === user) exchanges.delete(exchange);
    },
    repair() {
      disturbances.length = 0;
      cutUntilMs = 0;
    },
  };
  return cable;
}
