/**
 * The cable between bridge and terminal, and what can happen to bytes on it. A serial line is always there: the
 * terminal does not notice who holds the other end, and what nobody reads is gone. A TCP connection is one of many,
 * loses nothing that it does not lose at its end, and both sides hear of that.
 */
import { LineError, type Line, type LineConnection } from '../../src/bridge/lines/line.ts';
import type { ReachableSimulator } from '../../src/simulator/index.ts';
import type { Random } from '../support/random.ts';
import type { BridgeClock } from './bridge-clock.ts';
import { unlessKilled } from './killed.ts';
import type { WorldClock } from './world-clock.ts';

/** "Not read", in the serial frames of all protocols. */
const nak = 0x15;

export type Direction = 'to_terminal' | 'to_bridge';

/** What happens to the next pieces that go one way. */
export type Disturbance =
  | { kind: 'lose' }
  | { kind: 'damage' }
  | { kind: 'repeat' }
  | { kind: 'split'; gapMs: number }
  | { kind: 'delay'; delayMs: number }
  /** So much of the piece goes through, and then the cable is cut for a while. */
  | { kind: 'cut'; share: number; durationMs: number };

/** What lies between bridge and terminal, and what can happen to it. */
export interface Cable {
  /** The next `pieces` that go this way. */
  disturb(direction: Direction, disturbance: Disturbance, pieces: number): void;
  cut(durationMs: number): void;
  /** Nothing more of this process; the operating system closes its port. */
  drop(process: CableUser): void;
  /** No disturbance is left, and the cable is whole. */
  repair(): void;
}

/** One that bytes go over. */
export interface LineCable extends Cable {
  /** The line as one process sees it. */
  lineFor(process: CableUser): Line;
}

/** What the cable has to know of the terminal at its end. */
export interface CableEnd extends ReachableSimulator {
  /** Nobody can connect for so long. */
  cutLine(durationMs: number): void;
}

export interface CableUser {
  readonly clock: BridgeClock;
  /** Whether it has died. */
  readonly dead: boolean;
  /** Called before and after each write; may end the process. */
  beforeWrite(): void;
  afterWrite(): void;
  /** It says again what it said last, and has heard nothing since. */
  onResent(): void;
}

export interface CableOptions {
  world: WorldClock;
  random: Random;
  framing: 'serial' | 'tcp';
  simulator: CableEnd;
  /**
   * Whether a line may say this piece twice. None does so by itself; a device does, where it has heard no ACK and its
   * protocol can tell the copy from another message.
   */
  mayComeTwice(bytes: Uint8Array, direction: Direction): boolean;
  /** Called when a piece goes into the cable, either way. */
  onPiece(direction: Direction): void;
  /** A piece goes through twice, so that an answer comes twice, too. */
  onRepeat(): void;
  trace(text: () => string): void;
}

interface Near {
  user: CableUser;
  handler: ((bytes: Uint8Array) => void) | null;
  closeHandlers: ((reason: string) => void)[];
  closed: boolean;
  far: Far | null;
  /** What it wrote last, while nothing has come since. */
  unheard: Uint8Array | null;
}

interface Far {
  handler: ((bytes: Uint8Array) => void) | null;
  closeHandlers: ((reason: string) => void)[];
  closed: boolean;
  near: Near | null;
}

const usualDelayMs = 3;

export function createCable(options: CableOptions): LineCable {
  const { world, random, framing, simulator } = options;
  const serial = framing === 'serial';
  const disturbances: { direction: Direction; disturbance: Disturbance; left: number }[] = [];
  /** Pieces of one direction do not overtake each other. */
  const notBefore = { to_terminal: 0, to_bridge: 0 };
  /** What of the terminal's comes late, until it is all there. */
  let late: { bytes: Uint8Array; untilMs: number } | null = null;
  let cutUntilMs = 0;
  let current: Near | null = null;
  const nears = new Set<Near>();
  const far = serial ? attach(null) : null;

  function attach(near: Near | null): Far {
    const mine: Far = { handler: null, closeHandlers: [], closed: false, near };
    const connection: LineConnection = {
      write(bytes) {
        if (mine.closed) return false;
        send('to_bridge', Uint8Array.from(bytes), (piece) => {
          const to = serial ? current : mine.near;
          if (to === null || to.closed) return;
          // What is damaged is not heard.
          if (piece.length !== bytes.length || isSame(piece, bytes)) to.unheard = null;
          to.user.clock.enter(() => {
            if (!to.closed) unlessKilled(() => to.handler?.(piece));
          });
        });
        return true;
      },
      onData: (handler) => void (mine.handler = handler),
      onClose: (handler) => void mine.closeHandlers.push(handler),
      get closed() {
        return mine.closed;
      },
      close() {
        closeFar(mine, 'closed here');
        return Promise.resolve();
      },
    };
    simulator.attach(connection, { unpluggable: !serial });
    return mine;
  }

  /** The terminal's end is closed; on TCP the bridge hears of it. */
  function closeFar(end: Far, reason: string): void {
    if (end.closed) return;
    end.closed = true;
    for (const handler of end.closeHandlers) handler(reason);
    const { near } = end;
    if (near !== null) deliverLater('to_bridge', 0, () => closeNear(near, 'closed by the terminal', true));
  }

  /** The bridge's end is closed. `tell`: it hears of it. */
  function closeNear(near: Near, reason: string, tell: boolean): void {
    if (near.closed) return;
    near.closed = true;
    nears.delete(near);
    if (current === near) current = null;
    // The process hears of it in a turn of its own.
    const hear = () => {
      for (const handler of near.closeHandlers) handler(reason);
    };
    if (tell) world.after(0, () => near.user.clock.enter(hear));
    const end = near.far;
    if (end !== null) {
      // A reset: what is still under way is lost, and does not hold it up.
      world.after(usualDelayMs, () => {
        if (end.closed) return;
        end.closed = true;
        for (const handler of end.closeHandlers) handler('closed by the till');
      });
    }
  }

  function deliverLater(direction: Direction, delayMs: number, call: () => void): void {
    const dueMs = Math.max(world.elapsed() + random.integer(1, usualDelayMs) + delayMs, notBefore[direction]);
    notBefore[direction] = dueMs;
    world.after(dueMs - world.elapsed(), call);
  }

  function send(direction: Direction, bytes: Uint8Array, deliver: (piece: Uint8Array) => void): void {
    options.onPiece(direction);
    const at = disturbances.findIndex((one) => one.direction === direction);
    const found = disturbances[at];
    // What the terminal could not read, or did not say it has read, goes out again and may be answered twice.
    const isRead = bytes[0] !== nak && found === undefined && !isCut();
    if (direction === 'to_bridge' && bytes.length === 1 && !isRead) options.onRepeat();
    // Asked again while the rest of it was still under way: it comes twice, and is answered twice.
    const isAskedAgain = late !== null && world.elapsed() <= late.untilMs && isSame(bytes, late.bytes);
    if (direction === 'to_bridge' && isAskedAgain) options.onRepeat();
    if (isCut()) return;
    const arrive = (piece: Uint8Array, delayMs = 0) =>
      deliverLater(direction, delayMs, () => {
        if (!isCut() || !serial) deliver(piece);
      });
    const comesLate = () => {
      if (direction === 'to_bridge' && bytes.length > 1) late = { bytes, untilMs: notBefore.to_bridge };
    };
    if (found === undefined) return arrive(bytes);
    found.left -= 1;
    if (found.left <= 0) disturbances.splice(at, 1);
    const { disturbance } = found;
    if (disturbance.kind === 'repeat' && !options.mayComeTwice(bytes, direction)) return arrive(bytes);
    options.trace(() => `cable: ${disturbance.kind} ${bytes.length} bytes ${direction.replace('_', ' ')}`);
    switch (disturbance.kind) {
      case 'lose':
        return;
      case 'damage':
        return arrive(damaged(bytes));
      case 'repeat':
        options.onRepeat();
        arrive(bytes);
        return arrive(bytes);
      case 'delay':
        arrive(bytes, disturbance.delayMs);
        return comesLate();
      case 'split': {
        const middle = random.integer(0, bytes.length);
        arrive(bytes.subarray(0, middle));
        arrive(bytes.subarray(middle), disturbance.gapMs);
        return comesLate();
      }
      case 'cut': {
        const size = Math.floor(bytes.length * disturbance.share);
        if (size > 0) arrive(bytes.subarray(0, size));
        return deliverLater(direction, 0, () => cable.cut(disturbance.durationMs));
      }
    }
  }

  /** One bit, which a checksum always finds. */
  function damaged(bytes: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(bytes);
    const at = random.integer(0, copy.length - 1);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.integer(0, 7));
    return copy;
  }

  function isCut(): boolean {
    return world.elapsed() < cutUntilMs;
  }

  const cable: LineCable = {
    lineFor: (user) => ({
      name: serial ? 'serial:/dev/simulated' : 'tcp:192.0.2.1:20007',
      async open(signal) {
        if (signal.aborted || user.dead) throw new LineError('no longer wanted');
        if (isCut()) throw new LineError('the cable is cut');
        if (serial && current !== null) throw new LineError('the port is in use');
        if (!serial && !simulator.accepting) throw new LineError('connection refused');
        const near: Near = {
          user,
          handler: null,
          closeHandlers: [],
          closed: false,
          far: null,
          unheard: null,
        };
        nears.add(near);
        if (serial) current = near;
        else near.far = attach(near);
        return {
          write(bytes) {
            if (user.dead || near.closed) return false;
            if (near.unheard !== null && isSame(near.unheard, bytes)) user.onResent();
            if (bytes[0] !== nak) near.unheard = Uint8Array.from(bytes);
            user.beforeWrite();
            if (user.dead || near.closed) return false;
            const end = serial ? far : near.far;
            send('to_terminal', Uint8Array.from(bytes), (piece) => {
              // What waits in the buffers of a TCP connection ends with it.
              if (end !== null && !end.closed && (serial || !near.closed)) end.handler?.(piece);
            });
            user.afterWrite();
            return !user.dead;
          },
          onData: (handler) => void (near.handler = handler),
          onClose: (handler) => void near.closeHandlers.push(handler),
          get closed() {
            return near.closed;
          },
          close() {
            closeNear(near, 'closed here', true);
            return Promise.resolve();
          },
        };
      },
    }),
    disturb(direction, disturbance, pieces) {
      // A TCP stream arrives whole and in order, or ends.
      const kind = disturbance.kind;
      if (!serial && (kind === 'lose' || kind === 'damage' || kind === 'repeat')) return;
      disturbances.push({ direction, disturbance, left: pieces });
    },
    cut(durationMs) {
      options.trace(() => `cable: cut for ${durationMs} ms`);
      cutUntilMs = Math.max(cutUntilMs, world.elapsed() + durationMs);
      // A plug of USB ends the port; a plain serial one that is pulled is just silent.
      if (current !== null && random.chance(0.5)) closeNear(current, 'the cable was pulled', true);
      if (!serial) simulator.cutLine(durationMs);
    },
    drop(user) {
      for (const near of nears) if (near.user === user) closeNear(near, 'its process has ended', false);
    },
    repair() {
      disturbances.length = 0;
      cutUntilMs = 0;
    },
  };
  return cable;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
