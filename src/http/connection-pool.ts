/**
 * Which connections a server keeps when more come than it has room for. Without this the newest are closed, and whoever
 * holds all the others keeps everybody else out. Here the oldest gives way that has nothing to be answered:
 *
 *     newcomers  nothing was answered on them yet: silent ones, half heads, refused ones      ┐ up to half of the pool
 *     known      a good request was answered on them before, and they are kept for the next   ┘ each is safe from the other
 *
 * So silent connections cannot push out a till's idle one, and idle ones cannot push out a till that has just come. A
 * connection with a whole request in flight never gives way, and the last place is kept free for the next caller.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RepeatedKind, RepeatedLines } from './repeated-lines.ts';

export interface ConnectionPool {
  /** Bounds the connections of `server`, each server of a pool for itself. Called before it listens. */
  attach(server: Server): void;
  /** A request that the guards let through: its connection stays until it is answered, once all of it has come. */
  enter(request: IncomingMessage, response: ServerResponse): void;
}

export interface ConnectionPoolOptions {
  /** For each server. */
  maxConnections: number;
  repeatedLines: RepeatedLines;
}

const gaveWay: RepeatedKind = {
  name: 'connection gave way',
  level: 'warn',
  message: 'there are too many connections; the oldest that ask nothing are closed',
  many: 'connections that asked nothing were closed to make room',
};

/** Until it is decided who gives way there may be this many times as many, so that a burst is not decided blindly. */
const burstFactor = 2;

interface Connection {
  readonly socket: Socket;
  readonly group: Group;
  readonly inFlight: Map<IncomingMessage, ServerResponse>;
}

/** The connections of one server, in each set the longest unused first. */
interface Group {
  readonly newcomers: Set<Connection>;
  readonly known: Set<Connection>;
  willMakeRoom: boolean;
}

export function createConnectionPool({
  maxConnections,
  repeatedLines,
}: ConnectionPoolOptions): ConnectionPool {
  const onGaveWay = () => repeatedLines.note(gaveWay, undefined, { limit: maxConnections });
  const connections = new WeakMap<Socket, Connection>();

  const add = (group: Group, socket: Socket) => {
    const connection: Connection = { socket, group, inFlight: new Map() };
    connections.set(socket, connection);
    group.newcomers.add(connection);
    socket.on('close', () => {
      group.newcomers.delete(connection);
      group.known.delete(connection);
    });
    if (sizeOf(group) < maxConnections) return;
    if (sizeOf(group) >= maxConnections * burstFactor - 1) return makeRoom(group);
    if (group.willMakeRoom) return;
    group.willMakeRoom = true;
    // What has arrived behind a new connection is read first: after two immediates there was a look at every socket.
    setImmediate(() =>
      setImmediate(() => {
        group.willMakeRoom = false;
        makeRoom(group);
      }),
    );
  };

  const makeRoom = (group: Group) => {
    while (sizeOf(group) >= maxConnections) {
      const connection = nextToGo(group, maxConnections / 2);
      if (connection === null) return;
      group.newcomers.delete(connection);
      group.known.delete(connection);
      connection.socket.destroy();
      onGaveWay();
    }
  };

  return {
    attach(server) {
      const group: Group = { newcomers: new Set(), known: new Set(), willMakeRoom: false };
      server.maxConnections = maxConnections * burstFactor;
      server.on('connection', (socket: Socket) => add(group, socket));
      server.on('drop', onGaveWay);
    },

    enter(request, response) {
      const connection = connections.get(request.socket);
      if (connection === undefined) return;
      const { group, inFlight, socket } = connection;
      inFlight.set(request, response);
      response.on('close', () => {
        inFlight.delete(request);
        if (socket.destroyed) return;
        group.newcomers.delete(connection);
        group.known.delete(connection);
        group.known.add(connection);
      });
    },
  };
}

function sizeOf({ newcomers, known }: Group): number {
  return newcomers.size + known.size;
}

/** Null when all but the newest have a request in flight. */
function nextToGo({ newcomers, known }: Group, half: number): Connection | null {
  if (newcomers.size <= half) return oldestIdle(known) ?? oldestIdle(newcomers, 1);
  return oldestIdle(newcomers, 1) ?? oldestIdle(known);
}

/** `sparing`: how many of the newest are left alone. */
function oldestIdle(among: Set<Connection>, sparing = 0): Connection | null {
  let left = among.size - sparing;
  for (const connection of among) {
    if (left <= 0) return null;
    left -= 1;
    if (!isAtWork(connection)) return connection;
  }
  return null;
}

/**
 * A request whose body is still to come may never be whole, and an answer that was given may never be read, so neither
 * holds a place.
 */
function isAtWork({ inFlight }: Connection): boolean {
  for (const [request, response] of inFlight) if (request.complete && !response.writableEnded) return true;
  return false;
}
