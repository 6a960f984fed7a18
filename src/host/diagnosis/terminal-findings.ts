/** From the cable to the last record: what each check of the terminal's side finds. */
import type { DiagnosisFinding, TerminalState } from '../../contract/console/index.ts';
import { diagnosisFindings } from '../../contract/console/index.ts';
import type { Facts, SerialFacts } from './facts.ts';
import { found } from './found.ts';

/** A terminal that was heard this long ago counts as answering while the bridge asks what it is doing. */
const heardLatelyMs = 60_000;

export function terminalFindings(facts: Facts): DiagnosisFinding[] {
  const { terminal } = facts.state;
  const way = [addressFinding(facts), ...portFindings(facts)];
  // What is in the way of the line is said once, where it is.
  const blocked = way.some(({ finding }) => diagnosisFindings[finding][1] === 'fault');
  const open = terminal !== null && isOpen(terminal) ? terminal : null;
  return [
    ...way,
    answersFinding(facts, blocked),
    registeredFinding(open),
    readyFinding(open),
    recordFinding(facts),
  ];
}

/** The line is open, as far as the terminal's state tells. */
function isOpen({ connection }: TerminalState): boolean {
  return connection !== 'lost' && connection !== 'connecting' && connection !== 'stopped';
}

function addressFinding({ address, serial, state: { terminal } }: Facts): DiagnosisFinding {
  if (address === null) return found('address_none');
  switch (address.kind) {
    case 'simulator':
      return found('address_simulator');
    case 'serial':
      return cableFinding(serial ?? { ...unknownPort, path: address.path });
    case 'tcp':
    case 'http': {
      const values = { address: `${address.host}:${address.port}`, host: address.host };
      if (terminal === null || terminal.connection === 'stopped') return found('host_untried', { values });
      if (isOpen(terminal)) return found('host_reached', { values });
      if (terminal.connection === 'connecting') return found('host_untried', { values });
      if (/is not known on this network/i.test(terminal.text)) return found('host_name_unknown', { values });
      // The address is not even tried while another bridge has the line.
      if (isTaken(terminal)) return found('host_untried', { values });
      return found('host_silent', { values, said: terminal.text });
    }
  }
}

const unknownPort: Omit<SerialFacts, 'path'> = {
  device: null,
  place: 'here',
  name: null,
  others: null,
  mayOpen: null,
  group: null,
  holder: null,
  service: null,
};

function cableFinding({ path, device, place, name, others }: SerialFacts): DiagnosisFinding {
  if (place === 'unsure') return found('cable_swapped', { values: { path } });
  if (place === 'moved') return found('cable_moved', { values: { path, device: device ?? '' } });
  if (device !== null) return found('cable_seen', { values: { path: device, name: name ?? '' } });
  if (others === null) return found('cable_unknown', { values: { path } });
  if (others.length === 0) return found('cable_missing', { values: { path } });
  return found('cable_elsewhere', { values: { path, others: others.join(', ') } });
}

/** None where there is no port that somebody else could have, or that could be forbidden. */
function portFindings(facts: Facts): DiagnosisFinding[] {
  const { address, serial, platform, state } = facts;
  const { terminal } = state;
  if (address === null || address.kind === 'simulator') return [];
  if (terminal !== null && isOpen(terminal)) {
    const ours = found('port_ours');
    return address.kind === 'serial' && platform !== 'win32' ? [ours, found('permission_given')] : [ours];
  }
  const taken = terminal !== null && isTaken(terminal) ? found('port_taken', { said: terminal.text }) : null;
  if (address.kind !== 'serial') {
    const local =
      platform === 'darwin' && terminal !== null && /macOS does not let/i.test(terminal.text)
        ? [found('permission_local_network')]
        : [];
    return [...(taken === null ? [] : [taken]), ...local];
  }
  if (serial === null) return taken === null ? [] : [taken];
  if (serial.device === null) {
    // It detaches the port of what it takes for a braille display: there is none any more.
    if (serial.service === 'brltty') return [serviceFinding(serial.service, serial.path)];
    return taken === null ? [] : [taken];
  }
  return [portFinding(serial, serial.device, taken, platform), ...permissionFindings(facts, serial)];
}

/** Said by the line's lock, and by the line itself. */
function isTaken({ connection, text }: TerminalState): boolean {
  return (
    connection === 'lost' &&
    /in use by another program|uses the line|holds the line|the lock on the line/i.test(text)
  );
}

function portFinding(
  { holder, service }: SerialFacts,
  path: string,
  taken: DiagnosisFinding | null,
  platform: NodeJS.Platform,
): DiagnosisFinding {
  // The processes of the system's own services show nobody else what they have open.
  const isService = holder === null ? taken !== null : holder.program === service;
  if (service !== null && isService) return serviceFinding(service, path);
  if (holder !== null)
    return found('port_held', { values: { path, program: holder.program, process: holder.processId } });
  if (taken !== null) return taken;
  // Elsewhere the system tells nobody who has a port.
  return platform === 'linux'
    ? found('port_free', { values: { path } })
    : found('port_unknown', { values: { path } });
}

function serviceFinding(service: string, path: string): DiagnosisFinding {
  return found('port_service', {
    values: { program: service, path },
    command: `sudo systemctl mask --now ${service}`,
  });
}

function permissionFindings({ userName }: Facts, serial: SerialFacts): DiagnosisFinding[] {
  const { mayOpen, group, device } = serial;
  if (mayOpen === null || device === null) return [];
  if (mayOpen) return [found('permission_given')];
  if (group === null || group.isInForce) return [found('permission_denied', { values: { path: device } })];
  const values = { path: device, group: group.name, user: userName };
  if (group.isMember) return [found('permission_new_group', { values })];
  const command =
    isPlain(group.name) && isPlain(userName) ? `sudo usermod -aG ${group.name} ${userName}` : null;
  return [found('permission_group', { values, command })];
}

/** Safe in a command that somebody will paste into a shell. */
function isPlain(name: string): boolean {
  return name === '$USER' || /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}$/.test(name);
}

function answersFinding({ nowMs, address, state }: Facts, blocked: boolean): DiagnosisFinding {
  const { terminal } = state;
  if (terminal === null || blocked || terminal.connection === 'stopped') return found('answers_later');
  const { connection, lastHeardAt: at, text } = terminal;
  if (connection === 'lost') return found('line_lost', { said: text });
  if (connection === 'connecting') return found('line_opening', { said: text });
  if (address?.kind === 'simulator') return found('terminal_heard', { at });
  if (at === null) return found('terminal_silent', { said: text });
  const asked = connection === 'recovering' && nowMs - Date.parse(at) > heardLatelyMs;
  return asked ? found('terminal_silent', { said: text, at }) : found('terminal_heard', { at });
}

function registeredFinding(terminal: TerminalState | null): DiagnosisFinding {
  switch (terminal?.connection) {
    case 'ready':
    case 'operating':
      return found('registered', { values: { terminal: terminal.terminal?.terminalId ?? '' } });
    case 'preparing':
      return found('registering');
    case 'attention':
    case 'recovering':
      return isRefused(terminal)
        ? found('registration_refused', { said: terminal.text })
        : found('registered_later');
    case 'lost':
    case 'connecting':
    case 'stopped':
    case undefined:
      return found('registered_later');
  }
}

/** The terminal refuses to register this till, or a setting that every command carries. */
function isRefused({ requiredAction, text }: TerminalState): boolean {
  return (
    requiredAction === 'setting' || /\bregist|refuses the password|does not accept the currency/i.test(text)
  );
}

function readyFinding(terminal: TerminalState | null): DiagnosisFinding {
  switch (terminal?.connection) {
    case 'ready':
      return found('terminal_ready');
    case 'operating':
      return found('terminal_works');
    case 'attention':
      return isRefused(terminal) ? found('ready_later') : found('terminal_needs', { said: terminal.text });
    case 'recovering':
      return found('terminal_recovering', { said: terminal.text });
    case 'preparing':
    case 'lost':
    case 'connecting':
    case 'stopped':
    case undefined:
      return found('ready_later');
  }
}

function recordFinding({ lastRecord, state }: Facts): DiagnosisFinding {
  if (lastRecord === null || state.terminal === null) return found('record_later');
  switch (lastRecord.kind) {
    case 'record':
      return found('record_shown', { values: { receipt: lastRecord.record.receiptNumber ?? '' } });
    case 'empty':
      return found('record_none');
    case 'unavailable':
      return found('record_unavailable', { said: lastRecord.reason });
  }
}
