/** What the office is told of the bridge: what `/health` says of each terminal, also where no bridge runs. */
import { healthOf, heldElsewhere } from '../../bridge/listener/index.ts';
import type { ConsoleState, ListenerState } from '../../contract/console/index.ts';
import type { Heartbeat } from '../../contract/office.ts';
import { lastSeqOf, type SourceTerminal } from './office-source.ts';

const maxTerminals = 256;
const maxVersionCharacters = 64;
const maxTerminalIdCharacters = 128;
const maxMessageCharacters = 2_000;

export function heartbeatOf(state: {
  version: string;
  nowMs: number;
  bridge: ConsoleState['bridge'];
  listener: ListenerState;
  terminals: readonly SourceTerminal[];
}): Heartbeat {
  const { version, nowMs, bridge, listener, terminals } = state;
  return {
    version: version.slice(0, maxVersionCharacters),
    at: new Date(nowMs).toISOString(),
    listener: {
      listening: listener.kind === 'on',
      message: listenerMessage(bridge, listener).slice(0, maxMessageCharacters),
    },
    terminals: terminals.slice(0, maxTerminals).map((terminal) => {
      const health = healthOf(terminal, heldElsewhere(terminals, terminal.name));
      const lastSeq = terminal.journal === null ? null : lastSeqOf(terminal.journal);
      const { connection, protocol, terminal_id: terminalId, simulated } = health.terminal;
      return {
        name: terminal.name,
        simulated,
        protocol,
        terminalId: terminalId?.slice(0, maxTerminalIdCharacters) ?? null,
        connection,
        ready: health.success,
        message: health.message.slice(0, maxMessageCharacters),
        journalWritable: health.journal.writable,
        ...(lastSeq === null ? {} : { lastSeq }),
        inDoubt: health.in_doubt,
        discrepancies: health.discrepancies,
      };
    }),
  };
}

function listenerMessage(bridge: ConsoleState['bridge'], listener: ListenerState): string {
  switch (bridge.kind) {
    case 'first_start':
      return 'No terminal has been chosen yet.';
    case 'starting':
      return 'The bridge is starting.';
    case 'stopped':
      return 'The bridge does not run.';
    case 'failed':
      return bridge.text;
    case 'running':
  }
  switch (listener.kind) {
    case 'on':
      return `It listens on port ${listener.port}.`;
    case 'failed':
      return listener.text;
    case 'off':
    case 'starting':
    case 'stopping':
      return 'It does not listen, so no till can call.';
  }
}
