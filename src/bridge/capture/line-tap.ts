/**
 * Records a line from its middle, between a till of any kind and its terminal:
 *
 *     till ──► LineConnection ═ tap ═ Line ──► terminal
 *                                └─► capture.jsonl
 *
 * Every byte is passed on as it came, before it is looked at. What the till wanted is not known, only what it sent.
 */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { openWithBackoff } from '../../base/open-with-backoff.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { Log } from '../../log/index.ts';
import { endedInOrder, type Line, type LineConnection, type Unsent } from '../lines/line.ts';
import { loadProtocol } from '../terminals/protocols.ts';
import { headerOf, type CaptureHeader } from './capture-file.ts';
import { openCapture } from './capture-writer.ts';
import { createLineRecorder, type LineRecorder, type Note } from './line-recorder.ts';
import { whileItWorks } from './while-it-works.ts';

export interface LineTapOptions {
  /** What was there before stays. */
  file: string;
  /** The version of Tillbridge. */
  program: string;
  connection: Exclude<CaptureHeader['connection'], 'http'>;
  /** What a driver of this terminal would be made with, its protocol first; secrets stay out of the file. */
  settings: Configuration;
  /** To the terminal. */
  line: Line;
  clock: Clock;
  chance: Chance;
  /** For what becomes of the file. */
  log: Log;
  /** A sentence for whoever watches: somebody came or left, or something is in the way. */
  onState(text: string): void;
}

export interface LineTap {
  /**
   * Joins a till with the terminal until the till leaves, or the terminal. `stays`: the till's end is a cable, so that a
   * terminal that leaves is opened again, and what the till sends meanwhile is lost. Closes both; never rejects.
   */
  join(till: LineConnection, stays: boolean): Promise<void>;
  /** Resolves once the terminal has been opened for the first time, or could not be. */
  readonly tried: Promise<void>;
  /** Ends all; what was recorded is whole. */
  close(): Promise<void>;
}

/** Null: nobody knows how a line of this protocol is masked. */
export async function openLineTap(options: LineTapOptions): Promise<LineTap | null> {
  const { file, program, connection, settings, line, clock, chance, log, onState } = options;
  const { protocol } = settings;
  const parts = { connection: { kind: connection }, settings, clock, chance, log, onHeard() {} };
  const loaded = await loadProtocol(protocol, parts);
  if (!('attach' in loaded) || loaded.captureForm === undefined) return null;
  const form = loaded.captureForm;
  const started = new Date(clock.now()).toISOString();
  const header = headerOf({ program, protocol, connection, settings, started, between: true });
  const writer = openCapture(file, header, log);
  const startedAt = clock.elapsed();
  const safely = whileItWorks((error) => writer.end(errorText(error)));
  const note = (one: Note) =>
    safely(() => writer.write({ t: Math.round(clock.elapsed() - startedAt), ...one }));
  const stopped = new AbortController();
  const joined = new Set<Promise<void>>();
  const tried = Promise.withResolvers<void>();
  /** The last reason why the terminal could not be reached. */
  let told: string | null = null;

  function cannotOpen(reason: string) {
    tried.resolve();
    if (reason === told) return;
    told = reason;
    note({ kind: 'closed', reason });
    onState(`The terminal cannot be reached: ${reason}.`);
  }

  /** Null: it cannot be opened, or is wanted no more. */
  async function openTerminal(stays: boolean, signal: AbortSignal): Promise<LineConnection | null> {
    if (stays)
      return openWithBackoff(line, { clock, signal, random: chance.fraction, onFailure: cannotOpen });
    try {
      return await line.open(signal);
    } catch (error) {
      if (!signal.aborted) cannotOpen(errorText(error));
      return null;
    }
  }

  async function serve(till: LineConnection, stays: boolean): Promise<void> {
    const tillLeft = new AbortController();
    const signal = AbortSignal.any([stopped.signal, tillLeft.signal]);
    let terminal: LineConnection | null = null;
    let recorder: LineRecorder | null = null;
    const readTill = () =>
      till.onData((bytes) => {
        if (terminal?.write(bytes) === true) recorder?.sent(bytes);
      });
    // A till that cuts the line has given up what it sent, and so does whoever ends the recording.
    let unsent: Unsent = 'drop';
    till.onClose((reason) => {
      if (reason === endedInOrder) unsent = 'send';
      tillLeft.abort();
    });
    // A till on a cable does not know that nobody is there: what it sends then must not arrive later.
    if (stays) readTill();
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const opened = await openTerminal(stays, signal);
      if (opened === null) break;
      told = null;
      note({ kind: 'opened' });
      recorder = createLineRecorder({ form, clock, note, safely });
      const ended = Promise.withResolvers<string>();
      opened.onClose((reason) => ended.resolve(reason));
      const leave = () => {
        if (!opened.closed) note({ kind: 'dropped' });
        void opened.close(unsent);
      };
      const { received } = recorder;
      opened.onData((bytes) => {
        till.write(bytes);
        received(bytes);
      });
      terminal = opened;
      if (isFirst && !stays) readTill();
      tried.resolve();
      onState('The line is open.');
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
      const reason = await ended.promise;
      signal.removeEventListener('abort', leave);
      terminal = null;
      recorder.closed(reason);
      await opened.close();
      if (tillLeft.signal.aborted) onState('The till has left.');
      else if (!stopped.signal.aborted) onState(`The line to the terminal has ended: ${reason}.`);
      if (!stays) break;
    }
    await till.close();
  }

  return {
    join(till, stays) {
      const serving = serve(till, stays).catch((error: unknown) => {
        log.error('a till could not be joined with its terminal', { err: error });
        return till.close();
      });
      joined.add(serving);
      return serving.finally(() => joined.delete(serving));
    },
    tried: tried.promise,
    async close() {
      stopped.abort();
      tried.resolve();
      await Promise.all(joined);
      writer.close();
    },
  };
}
