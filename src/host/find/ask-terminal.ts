/** The question whether a terminal is at a place: its protocol's own registration or status, which carries no amount. */
import { startDeadline } from '../../base/abort.ts';
import type { Chance } from '../../base/chance.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { lockLine, type Line } from '../../bridge/lines/index.ts';
import type { Configuration } from '../../contract/configuration.ts';
import { withValueAt } from '../../contract/dotted-keys.ts';
import { protocolOf, type ProtocolName } from '../../contract/protocols.ts';
import { usualSerialSettings } from '../../contract/serial-settings.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { Log } from '../../log/index.ts';
import { realLine } from '../terminal-line.ts';
import { tryTerminal } from '../try-terminal.ts';
import type { Answer, Place } from './find-terminals.ts';

const { get } = process.getBuiltinModule('node:http');

/** A terminal that is there begins to answer at once; some take seconds to register. */
const questionTimeoutMs = 8_000;
/** So long an address of the local network may take to answer at all. */
const reachTimeoutMs = 1_500;
/** Terminals that take one connection at a time need a moment between two. */
const betweenQuestionsMs = 250;

export interface AskOptions {
  settings: Configuration;
  clock: Clock;
  chance: Chance;
  log: Log;
  dataFolder: string;
}

export function createAsk(
  options: AskOptions,
): (place: Place, protocol: ProtocolName, signal: AbortSignal) => Promise<Answer> {
  const { settings, clock, log } = options;

  return async ({ terminal }, protocol, signal) => {
    const address = terminalAddressSchema.parse(terminal);
    if (address.kind === 'simulator') return { kind: 'nobody' };
    const { search } = protocolOf(protocol);
    const serial = usualSerialSettings(protocol);
    const wanted = Object.entries(search?.settings ?? {}).reduce(
      (all, [key, value]) => withValueAt(all, key, value),
      { ...settings, terminal: address, protocol },
    );
    try {
      const real = realLine(address, { serial, clock, log });
      if (address.kind === 'http') return await askHttp(address, real.line);
      const counted = countingLine(address.kind === 'tcp' ? inTime(real.line, clock) : real.line);
      const answer = await tryTerminal({
        ...options,
        ...real,
        line: counted.line,
        settings: wanted,
        timeoutMs: questionTimeoutMs,
        signal,
      });
      await pause(clock, betweenQuestionsMs, signal);
      switch (answer.kind) {
        case 'ready':
        case 'attention':
        case 'busy':
          // Some protocols have nothing to ask; then nobody has said anything either.
          if (!counted.heard()) return { kind: 'silent' };
          return {
            kind: 'found',
            terminalId: 'terminalId' in answer ? answer.terminalId : null,
            text: answer.kind === 'ready' ? null : answer.text,
            sure: true,
          };
        case 'in_use':
          return { kind: 'taken' };
        case 'line':
          return { kind: 'nobody' };
        case 'silent':
        case 'not_saved':
          return { kind: 'silent' };
      }
    } catch (error) {
      log.warn('a place could not be asked for a terminal', { terminal, protocol, err: error });
      return { kind: 'silent' };
    }
  };

  /** Its requests need keys that a search has not: that something answers at the port has to do. */
  async function askHttp({ host, port }: { host: string; port: number }, line: Line): Promise<Answer> {
    const lock = await lockLine(line.name, options);
    if (lock.kind !== 'held') return { kind: lock.kind === 'taken' ? 'taken' : 'nobody' };
    try {
      return (await answersHttp(host, port))
        ? { kind: 'found', terminalId: null, text: null, sure: false }
        : { kind: 'nobody' };
    } finally {
      lock.release();
    }
  }
}

function answersHttp(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/', agent: false }, (response) => {
      resolve(true);
      response.destroy();
    });
    request.setTimeout(reachTimeoutMs, () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}

/** The same line, opened soon or not at all. No trial before it: a terminal may refuse a second connection right behind it. */
function inTime(inner: Line, clock: Clock): Line {
  return {
    ...inner,
    async open(signal) {
      const deadline = startDeadline(clock, reachTimeoutMs);
      try {
        return await inner.open(AbortSignal.any([signal, deadline.signal]));
      } finally {
        deadline.cancel();
      }
    },
  };
}

/** The same line, which knows whether anything has come. */
function countingLine(inner: Line): { line: Line; heard(): boolean } {
  let heard = false;
  return {
    heard: () => heard,
    line: {
      name: inner.name,
      async open(signal) {
        const connection = await inner.open(signal);
        return {
          write: (bytes) => connection.write(bytes),
          onData(handler) {
            connection.onData((bytes) => {
              heard = true;
              handler(bytes);
            });
          },
          onClose: (handler) => connection.onClose(handler),
          get closed() {
            return connection.closed;
          },
          close: (unsent) => connection.close(unsent),
        };
      },
    },
  };
}
