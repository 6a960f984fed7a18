/** "Why is it not working?": what each check finds, by what is known; every finding that there is comes up here. */
import { describe, expect, test } from 'vitest';
import {
  diagnosisChecks,
  diagnosisFindings,
  diagnosisSchema,
  type DiagnosisFinding,
  type DiagnosisFindingName,
} from '../../../src/contract/console/index.ts';
import type { RecentCall } from '../../../src/bridge/listener/index.ts';
import type { Facts, SerialFacts } from '../../../src/host/diagnosis/facts.ts';
import type { OfficeStatus } from '../../../src/host/office/index.ts';
import { diagnosisOf } from '../../../src/host/diagnosis/diagnose.ts';
import {
  consoleState,
  discrepancyView,
  inDoubtView,
  nowMs,
  terminalState,
} from '../../support/console-data.ts';
import { emptyRecord } from '../../../src/contract/terminal.ts';

const cable: SerialFacts = {
  place: 'here',
  path: '/dev/ttyUSB0',
  device: '/dev/ttyUSB0',
  name: 'USB-Serial',
  others: [],
  mayOpen: true,
  group: null,
  holder: null,
  service: null,
};
const group = { name: 'dialout', isMember: false, isInForce: false };
const overTcp = { address: { kind: 'tcp', host: '10.0.0.5', port: 20007 }, serial: null } as const;
const noBridge = { terminal: null, listener: { kind: 'off' } } as const;

function facts(changes: Partial<Facts> = {}): Facts {
  return {
    nowMs,
    platform: 'linux',
    userName: 'till',
    state: consoleState(),
    settingsWarnings: [],
    dataDir: '/data',
    address: { kind: 'serial', path: '/dev/ttyUSB0' },
    serial: cable,
    listenerPortHolder: null,
    listenerPortTillbridge: null,
    calls: [call({})],
    tokens: { count: 0 },
    journalFile: { bytes: 1_048_576, events: 4_711, checkedMs: nowMs - 60_000 },
    lastRecord: { kind: 'record', record: { ...emptyRecord(), receiptNumber: '0007' } },
    terminalClock: null,
    freeBytes: 10e9,
    mayWriteData: true,
    office: null,
    ...changes,
  };
}

function officeStatus(journal: Partial<OfficeStatus['journals'][number]>): OfficeStatus {
  const usual = { terminal: 'main', simulated: false, events: 100, sent: 100, at: null };
  return {
    office: 'https://office.example',
    shop: 'Graz',
    troubles: [],
    journals: [{ ...usual, ...journal }],
  };
}

function call(changes: Partial<RecentCall>): RecentCall {
  const usual = { atMs: nowMs, path: '/CreatePayment', caller: 'Kasse/3', address: '127.0.0.1' };
  return { ...usual, code: null, count: 1, ...changes };
}

/** The terminal as `connection` has it, with the bridge's sentence. */
function withTerminal(
  connection: NonNullable<Facts['state']['terminal']>['connection'],
  text = 'The bridge’s sentence.',
  more: Partial<NonNullable<Facts['state']['terminal']>> = {},
) {
  return { state: consoleState({ terminal: terminalState({ connection, text, ...more }) }) };
}

const lost = withTerminal('lost', 'The terminal on serial:/dev/ttyUSB0 cannot be reached: nothing.');
const taken =
  'The terminal on serial:/dev/ttyUSB0 cannot be reached: /dev/ttyUSB0 is in use by another program';
const failedOn = (code: 'port_in_use' | 'port_forbidden') =>
  ({ kind: 'failed', code, port: 8080, text: 'The system said no.' }) as const;

/** The time of a payment's result on the terminal, minutes away from the payment. */
function clockOff(minutes: number): Facts['terminalClock'] {
  const at = new Date(nowMs + minutes * 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    date: `${two(at.getMonth() + 1)}${two(at.getDate())}`,
    time: `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`,
    fromMs: nowMs,
    untilMs: nowMs + 30_000,
  };
}

/** What is known, what is found of it, and a part of what else is said. */
const cases: [DiagnosisFindingName, Partial<Facts>, Partial<DiagnosisFinding>?][] = [
  ['bridge_runs', {}],
  ['bridge_starting', { state: consoleState({ bridge: { kind: 'starting' }, ...noBridge }) }],
  ['bridge_first_start', { state: consoleState({ bridge: { kind: 'first_start' }, ...noBridge }) }],
  ['bridge_stopped', { state: consoleState({ bridge: { kind: 'stopped' }, ...noBridge }) }],
  [
    'bridge_failed',
    { state: consoleState({ bridge: { kind: 'failed', text: 'The journal is locked.' }, ...noBridge }) },
    { said: 'The journal is locked.' },
  ],
  ['settings_used', {}],
  ['settings_left_out', { settingsWarnings: ['port is wrong.'] }, { said: 'port is wrong.' }],
  ['money_clear', {}],
  ['money_in_doubt', { state: consoleState({ doubts: [inDoubtView()] }) }, { values: { count: 1 } }],
  ['money_held_elsewhere', { state: consoleState({ heldElsewhere: 'bar' }) }],
  ['money_held', { state: consoleState({ discrepancies: [discrepancyView(1, { kind: 'journal_loss' })] }) }],
  ['money_discrepancy', { state: consoleState({ discrepancies: [discrepancyView(1)] }) }],
  ['money_unknown', { state: consoleState(noBridge) }],

  ['address_simulator', { address: { kind: 'simulator' }, serial: null }],
  ['address_none', { address: null, serial: null, state: consoleState(noBridge) }],
  ['cable_seen', {}, { values: { path: '/dev/ttyUSB0', name: 'USB-Serial' } }],
  [
    'cable_moved',
    { serial: { ...cable, place: 'moved', device: '/dev/ttyUSB3' } },
    { values: { path: '/dev/ttyUSB0', device: '/dev/ttyUSB3' } },
  ],
  ['cable_swapped', { ...lost, serial: { ...cable, place: 'unsure' } }, { values: { path: '/dev/ttyUSB0' } }],
  ['cable_missing', { ...lost, serial: { ...cable, device: null } }],
  [
    'cable_elsewhere',
    { ...lost, serial: { ...cable, device: null, others: ['/dev/ttyUSB1', '/dev/ttyACM0'] } },
    { values: { path: '/dev/ttyUSB0', others: '/dev/ttyUSB1, /dev/ttyACM0' } },
  ],
  ['cable_unknown', { ...lost, serial: { ...cable, device: null, others: null } }],
  ['host_reached', overTcp],
  ['host_silent', { ...overTcp, ...lost }],
  ['host_name_unknown', { ...overTcp, ...withTerminal('lost', 'the name pos is not known on this network') }],
  ['host_untried', { ...overTcp, ...withTerminal('connecting') }],

  ['port_ours', {}],
  ['port_free', lost],
  [
    'port_held',
    { ...withTerminal('lost', taken), serial: { ...cable, holder: { program: 'minicom', processId: 77 } } },
    { values: { path: '/dev/ttyUSB0', program: 'minicom', process: 77 } },
  ],
  ['port_taken', withTerminal('lost', taken), { said: taken }],
  [
    'port_service',
    { ...withTerminal('lost', taken), serial: { ...cable, service: 'ModemManager' } },
    { command: 'sudo systemctl mask --now ModemManager' },
  ],
  ['port_service', { ...lost, serial: { ...cable, device: null, service: 'brltty' } }],
  // It runs, and has nothing to do with it.
  ['port_free', { ...lost, serial: { ...cable, service: 'ModemManager' } }],
  [
    'port_taken',
    { ...overTcp, ...withTerminal('lost', 'Another Tillbridge on this computer uses the line tcp:x.') },
  ],
  ['port_unknown', { ...lost, platform: 'darwin' }],
  ['permission_given', {}],
  [
    'permission_group',
    { ...lost, serial: { ...cable, mayOpen: false, group } },
    { command: 'sudo usermod -aG dialout till' },
  ],
  [
    'permission_group',
    { ...lost, userName: 'a; rm -rf ~', serial: { ...cable, mayOpen: false, group } },
    { command: null },
  ],
  [
    'permission_new_group',
    { ...lost, serial: { ...cable, mayOpen: false, group: { ...group, isMember: true } } },
  ],
  ['permission_denied', { ...lost, serial: { ...cable, mayOpen: false } }],
  [
    'permission_local_network',
    {
      ...overTcp,
      platform: 'darwin',
      ...withTerminal(
        'lost',
        'macOS does not let Tillbridge into the local network, or there is no way to 10.0.0.5 on it',
      ),
    },
  ],

  ['terminal_heard', {}],
  [
    'terminal_heard',
    { ...withTerminal('recovering', 'x', { lastHeardAt: new Date(nowMs - 1_000).toISOString() }) },
  ],
  ['terminal_silent', withTerminal('recovering')],
  ['terminal_silent', withTerminal('preparing', 'x', { lastHeardAt: null })],
  ['line_lost', lost],
  ['line_opening', withTerminal('connecting')],
  ['answers_later', { ...lost, serial: { ...cable, device: null } }],
  ['answers_later', { state: consoleState(noBridge) }],
  ['registered', {}],
  ['registering', withTerminal('preparing')],
  ['registration_refused', withTerminal('attention', 'The terminal refuses to register this till: no.')],
  [
    'registration_refused',
    withTerminal(
      'attention',
      'The terminal refuses the password. Set the password that is set at the terminal.',
    ),
  ],
  [
    'registration_refused',
    withTerminal(
      'attention',
      'The terminal does not accept the currency CHF. Set the currency that it works in.',
    ),
  ],
  ['registered_later', lost],
  ['terminal_ready', {}],
  ['terminal_works', withTerminal('operating')],
  [
    'terminal_needs',
    withTerminal('attention', 'The turnover file is full.'),
    { said: 'The turnover file is full.' },
  ],
  ['terminal_recovering', withTerminal('recovering')],
  ['ready_later', lost],
  ['ready_later', withTerminal('attention', 'The terminal refuses the password. Set it.')],
  ['record_shown', {}, { values: { receipt: '0007' } }],
  ['record_none', { lastRecord: { kind: 'empty' } }],
  ['record_unavailable', { lastRecord: { kind: 'unavailable', reason: 'No.' } }, { said: 'No.' }],
  ['record_later', { lastRecord: null }],

  ['listener_on', {}, { values: { address: 'http://127.0.0.1:8080' } }],
  ['listener_off', { state: consoleState({ listener: { kind: 'off' } }) }],
  ['listener_changing', { state: consoleState({ listener: { kind: 'starting' } }) }],
  [
    'listener_port_held',
    {
      state: consoleState({ listener: failedOn('port_in_use') }),
      listenerPortHolder: { program: 'nginx', processId: 9 },
    },
    { values: { port: 8080, program: 'nginx', process: 9 } },
  ],
  [
    'listener_port_user',
    {
      state: consoleState({ listener: failedOn('port_in_use') }),
      listenerPortTillbridge: { user: 'anna' },
    },
    { values: { port: 8080, user: 'anna' } },
  ],
  [
    'listener_port_tillbridge',
    { state: consoleState({ listener: failedOn('port_in_use') }), listenerPortTillbridge: { user: null } },
  ],
  ['listener_port_taken', { state: consoleState({ listener: failedOn('port_in_use') }) }],
  ['listener_failed', { state: consoleState({ listener: failedOn('port_forbidden') }) }],
  ['listener_later', { state: consoleState({ bridge: { kind: 'stopped' }, ...noBridge }) }],

  ['pos_called', {}, { values: { caller: 'Kasse/3', path: 'CreatePayment' } }],
  ['pos_called', { calls: [call({ code: 'terminal_busy' })] }],
  [
    'pos_refused',
    { calls: [call({ code: 'invalid_json' }), call({})] },
    { values: { caller: 'Kasse/3', path: 'CreatePayment', code: 'invalid_json' } },
  ],
  ['pos_refused', { calls: [call({ path: 'other', code: 'not_found' })] }],
  // A browser’s picture of the site beside a POS that works.
  ['pos_called', { calls: [call({ path: 'other', code: 'not_found' }), call({})] }],
  ['pos_no_http', { calls: [call({ path: 'other', caller: null, address: null, code: 'invalid_request' })] }],
  ['pos_never', { calls: [call({ path: '/health' })] }],
  ['pos_later', { calls: [], state: consoleState({ listener: { kind: 'off' } }) }],
  ['origin_clear', {}],
  [
    'origin_refused',
    {
      state: consoleState({
        blockedOrigins: [{ origin: 'https://pos.example', at: '2026-05-12T08:00:00.000Z' }],
      }),
    },
    { values: { origin: 'https://pos.example' }, at: '2026-05-12T08:00:00.000Z' },
  ],
  ['token_none', {}],
  ['token_used', { tokens: { count: 2 } }],
  [
    'token_used',
    { tokens: { count: 2 }, calls: [call({}), call({ code: 'unauthorized', atMs: nowMs - 1_000 })] },
  ],
  ['token_refused', { tokens: { count: 2 }, calls: [call({ code: 'unauthorized' })] }],
  ['token_damaged', { tokens: { damaged: 'The file is damaged.' } }, { said: 'The file is damaged.' }],

  [
    'journal_written',
    {},
    { values: { size: 1_048_576, events: 4_711 }, at: new Date(nowMs - 60_000).toISOString() },
  ],
  ['journal_written', { journalFile: null }, { values: {}, at: null }],
  [
    'journal_not_written',
    { state: consoleState({ journal: { writable: false, text: 'full', damaged: false } }) },
    { said: 'full' },
  ],
  ['journal_damaged', { state: consoleState({ journal: { writable: false, text: 'torn', damaged: true } }) }],
  ['journal_later', { state: consoleState({ bridge: { kind: 'stopped' }, ...noBridge }) }],
  ['disk_free', {}],
  ['disk_low', { freeBytes: 400 * 1024 ** 2 }, { values: { folder: '/data', free: 400 * 1024 ** 2 } }],
  ['disk_full', { freeBytes: 49 * 1024 ** 2 }],
  ['disk_read_only', { mayWriteData: false }],
  ['disk_unknown', { freeBytes: null }],
  ['clock_agrees', { terminalClock: clockOff(4) }],
  ['clock_differs', { terminalClock: clockOff(-61) }, { values: { minutes: 61 } }],
  ['clock_unknown', {}],
  ['office_has_all', { office: officeStatus({}) }],
  ['office_sending', { office: officeStatus({ sent: 40 }) }, { values: { count: 60 } }],
  ['office_sending', { office: officeStatus({ sent: null }) }, { values: { count: 100 } }],
  [
    'office_trouble',
    { office: { ...officeStatus({}), troubles: ['It cannot be reached.'] } },
    { said: 'It cannot be reached.' },
  ],
  ['clock_unknown', { terminalClock: { date: 'x', time: 'y', fromMs: nowMs, untilMs: nowMs } }],
];

describe('why it does not work', () => {
  test('every finding that there is comes up here', () => {
    const tried = new Set(cases.map(([finding]) => finding));
    expect([...tried].toSorted()).toEqual(Object.keys(diagnosisFindings).toSorted());
  });

  test.each(cases)('%s', (finding, changes, said = {}) => {
    const { findings } = diagnosisSchema.parse(diagnosisOf(facts(changes)));
    const [check] = diagnosisFindings[finding];
    const ofCheck = findings.filter((one) => diagnosisFindings[one.finding][0] === check);
    expect(ofCheck).toMatchObject([{ finding, ...said }]);
  });

  test.each(cases)('%s: each check comes once at most, in the order of the way', (_finding, changes) => {
    const checks = diagnosisOf(facts(changes)).findings.map(({ finding }) => diagnosisFindings[finding][0]);
    expect(checks).toEqual(diagnosisChecks.filter((check) => checks.includes(check)));
  });

  test('a clock is compared across New Year', () => {
    const midnight = new Date(2026, 11, 31, 23, 59, 50).getTime();
    const clock = { date: '0101', time: '000010', fromMs: midnight, untilMs: midnight + 5_000 };
    const { findings } = diagnosisOf(facts({ terminalClock: clock }));
    expect(findings.map(({ finding }) => finding)).toContain('clock_agrees');
  });

  test('what a caller is called, however long, stays within what the window takes', () => {
    const calls = Array.from({ length: 20 }, (_, number) => call({ caller: `${number}`.repeat(60) }));
    expect(diagnosisSchema.parse(diagnosisOf(facts({ calls }))).calls).toHaveLength(20);
  });
});
