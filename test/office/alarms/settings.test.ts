import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { alarmMessage, type AlarmMessage } from '../../../src/office/alarms/message.ts';
import { defaultAlarmSettings, readAlarmSettings } from '../../../src/office/alarms/settings.ts';

const secret = 'a-secret-that-is-long-enough';
const webhook = { kind: 'webhook', url: 'https://support.example/tills', secret: { file: 'secret' } };
const email = {
  kind: 'email',
  from: 'alarms@chain.example',
  to: ['support@chain.example'],
  server: { host: 'mail.chain.example', user: 'alarms', password: { variable: 'SMTP_PASSWORD' } },
};

function read(content: unknown, secretOf: () => string = () => secret) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readAlarmSettings(text, { origin: 'alarms.json', secretOf });
}

function settingsOf(content: unknown, secretOf?: () => string) {
  const reading = read(content, secretOf);
  if (!reading.ok) throw new Error(reading.errors.join('\n'));
  return reading.settings;
}

test('without a file the usual is watched, of real terminals, and nobody is told', () => {
  const { rules, receivers, hoursOf } = defaultAlarmSettings();
  expect(rules.map(({ watch, shops, simulated }) => ({ watch, shops, simulated }))).toEqual(
    ['doubt', 'silent', 'discrepancy', 'journal', 'journal_lag', 'deposit'].map((watch) => ({
      watch,
      shops: 'all',
      simulated: false,
    })),
  );
  expect(rules).toMatchObject([{ minutes: 10 }, { minutes: 10 }, { minutes: 0 }, {}, { minutes: 10 }, {}]);
  expect(receivers).toEqual([]);
  expect(hoursOf('Berlin')).toBeNull();
});

test('receivers have their secrets, and a mail server the port that goes with its TLS', () => {
  const { receivers } = settingsOf({ receivers: { support: webhook, owner: email } });
  expect(receivers).toEqual([
    { ...webhook, name: 'support', secret },
    {
      ...email,
      name: 'owner',
      server: {
        host: 'mail.chain.example',
        tls: 'starttls',
        port: 587,
        login: { user: 'alarms', password: secret },
      },
    },
  ]);
});

test('a shop has its own hours, or those of all', () => {
  const span = { days: ['monday'], from: '08:00', to: '20:00' };
  const berlin = { timeZone: 'Europe/Berlin', open: [span] };
  const lisbon = { timeZone: 'Europe/Lisbon', open: [span] };
  const { hoursOf } = settingsOf({ hours: { default: berlin, shops: { Lisboa: lisbon } } });
  expect(hoursOf('Lisboa')).toEqual(lisbon);
  expect(hoursOf('Berlin')).toEqual(berlin);
  expect(hoursOf('toString')).toEqual(berlin);
});

test('the digest tells rules apart, and nothing of a secret is in it', () => {
  const content = { receivers: { support: webhook } };
  const { digest } = settingsOf(content);
  expect(settingsOf(content, () => `another-${secret}`).digest).toBe(digest);
  expect(settingsOf({ ...content, groupSeconds: 31 }).digest).not.toBe(digest);
  expect(settingsOf({}).digest).not.toBe(digest);
});

test('the examples of the docs are a file that is taken, and a message that is sent', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '../../../docs/office-alarms.md'), 'utf8');
  const [file = '', body = ''] = [...docs.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => json);
  const { rules, receivers } = settingsOf(file);
  expect(rules.map(({ watch }) => watch)).toEqual(['doubt', 'silent', 'discrepancy', 'journal', 'deposit']);
  expect(receivers.map(({ kind }) => kind)).toEqual(['webhook', 'email']);
  const message = JSON.parse(body) as AlarmMessage;
  expect(message).toEqual(alarmMessage(message.id, message.at, message.alarms, 1));
});

describe('a wrong file is refused with the place and what to do', () => {
  const doubt = { name: 'Doubts', watch: 'doubt' };
  const support = (part: object) => ({ receivers: { support: { ...webhook, ...part } } });
  const owner = (part: object, server: object = {}) => ({
    receivers: { owner: { ...email, ...part, server: { ...email.server, ...server } } },
  });
  test.each<[string, unknown, string]>([
    ['no JSON', '{"rules": [}', 'alarms.json is not JSON: see line 1, column 12.'],
    ['no object', [], 'alarms.json must be an object.'],
    [
      'an unknown key',
      { rule: [] },
      '"rule" in alarms.json is not known there: correct its name, or take it out.',
    ],
    [
      'an unknown key of a rule',
      { rules: [{ ...doubt, minute: 5 }] },
      '"rules", entry 1, "minute" in alarms.json is not known there: correct its name, or take it out.',
    ],
    [
      'minutes that are none',
      { rules: [doubt, { name: 'Later', watch: 'doubt', minutes: '5' }] },
      '"rules", entry 2, "minutes" in alarms.json must be a whole number from 0 to 10080.',
    ],
    [
      'a silence that every bridge has',
      { rules: [{ name: 'Silent', watch: 'silent', minutes: 1 }] },
      '"rules", entry 1, "minutes" in alarms.json must be a whole number from 2 to 1440.',
    ],
    [
      'something that is not watched',
      { rules: [{ name: 'Refunds', watch: 'refund' }] },
      '"rules", entry 1, "watch" in alarms.json must be one of doubt, silent, discrepancy, journal, journal_lag, deposit.',
    ],
    ['no name', { rules: [{ watch: 'doubt' }] }, '"rules", entry 1, "name" in alarms.json must be a name.'],
    [
      'one name twice',
      { rules: [doubt, doubt] },
      '"rules", entry 2, "name" in alarms.json must be a name of its own: "Doubts" is taken.',
    ],
    [
      'no shops',
      { rules: [{ ...doubt, shops: 'Berlin' }] },
      '"rules", entry 1, "shops" in alarms.json must be "all" or a list with the names of shops.',
    ],
    [
      'a receiver that is not there',
      { rules: [{ ...doubt, receivers: ['suport'] }], receivers: { support: webhook } },
      '"rules", entry 1, "receivers", entry 1 in alarms.json must be one of the receivers of the file (support).',
    ],
    [
      'a kind of receiver',
      support({ kind: 'pager' }),
      '"receivers", "support", "kind" in alarms.json must be webhook or email.',
    ],
    [
      'an address',
      support({ url: 'ftp://support.example' }),
      '"receivers", "support", "url" in alarms.json must be an https or http address.',
    ],
    [
      'a secret in the file',
      support({ secret }),
      '"receivers", "support", "secret" in alarms.json must be {"file": "NAME OF A FILE"} or {"variable": "NAME"}: ' +
        'secrets do not stand in this file.',
    ],
    [
      'an e-mail address',
      owner({ to: ['support'] }),
      '"receivers", "owner", "to", entry 1 in alarms.json must be an e-mail address, such as "alarms@chain.example".',
    ],
    [
      'a password in the clear',
      owner({}, { tls: 'none' }),
      '"receivers", "owner", "server", "tls" in alarms.json must be starttls or implicit, because a password is sent.',
    ],
    [
      'a user without a password',
      owner({}, { password: undefined }),
      '"receivers", "owner", "server", "password" in alarms.json must be there when "user" is, and only then.',
    ],
    [
      'a time zone',
      { hours: { default: { timeZone: 'Berlin', open: [] } } },
      '"hours", "default", "timeZone" in alarms.json must be the name of a time zone, such as "Europe/Berlin".',
    ],
  ])('%s', (_what, content, sentence) => {
    const reading = read(content);
    expect(reading.ok ? [] : reading.errors).toContain(sentence);
  });

  test('a secret that is not there, or too short', () => {
    const content = { receivers: { support: webhook } };
    const missing = read(content, () => {
      throw new Error('the variable HOOK is not set. Set it where the office is started');
    });
    expect(missing).toEqual({
      ok: false,
      errors: [
        '"receivers", "support", "secret" in alarms.json: the variable HOOK is not set. Set it where the office is started.',
      ],
    });
    const short = read(content, () => 'short');
    expect(short).toEqual({
      ok: false,
      errors: [
        '"receivers", "support", "secret" in alarms.json: the secret there must have 16 characters at least.',
      ],
    });
  });

  test('no sentence repeats a secret', () => {
    const wrong = { ...support({ secret: 'p4ssw0rd' }), rules: [{ ...doubt, secret: 'p4ssw0rd' }] };
    const reading = read(wrong);
    expect(JSON.stringify(reading)).toContain('secrets do not stand');
    expect(JSON.stringify(reading)).not.toContain('p4ssw0rd');
  });
});
