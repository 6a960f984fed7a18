/** A stage for protocols of requests: no network, and the answers of then. */
import type { RequestProtocol, TerminalConnection } from '../terminals/terminal-driver.ts';
import { recordedRequests } from './recorded-requests.ts';
import { createScriptedTransport } from './scripted-transport.ts';
import type { Stage, StageParts } from './stage.ts';

export function createRequestStage(
  protocol: RequestProtocol,
  { recording, watch, entries }: StageParts,
): Stage {
  const { recordable } = protocol;
  if (recordable === undefined) throw new Error(`requests of ${protocol.name} are not recorded`);
  const { form, through } = recordable;
  const scripted = createScriptedTransport(entries, form, recording.clock);
  const recorded = recordedRequests(
    { form, through: (change) => through(() => change(scripted.transport)) },
    recording,
  );
  let connection: TerminalConnection | null = null;
  let attempt = new AbortController();

  function end() {
    attempt.abort();
    void connection?.close('drop');
    connection = null;
  }

  function open() {
    end();
    const mine = new AbortController();
    attempt = mine;
    // Whoever connected tried again after a while of its own, which is the next connection of the recording.
    void recorded
      .connect(watch, mine.signal, () => mine.abort())
      .then((made) => {
        if (mine.signal.aborted) return made?.close('drop');
        connection = made;
      }, recording.failed);
  }

  return {
    get driver() {
      return connection?.driver ?? null;
    },
    frameGapMs: null,
    happen(entry) {
      if (entry.kind === 'opened') open();
      else if (entry.kind === 'closed') end();
      else if (entry.kind === 'reply' || entry.kind === 'no_reply') scripted.deliver(entry);
      else throw new Error('bytes of a line in a recording of requests');
    },
  };
}
