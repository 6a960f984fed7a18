import { expect, onTestFinished, test } from 'vitest';
import type { MailServer } from '../../../src/office/alarms/settings.ts';
import { sendBySmtp } from '../../../src/office/alarms/smtp.ts';
import { startScriptedSmtp } from './scripted-smtp.ts';

const mail = {
  from: 'alarms@chain.example',
  to: ['support@chain.example', 'owner@chain.example'],
  subject: 'Tillbridge: 1 new (Köln)',
  text: '1 new. 1 alarm stands now.\n\nNew: Köln (main): The sale R-1 is in doubt.',
  id: '019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11',
  at: new Date('2026-11-03T12:00:00Z'),
};

async function serverOf(answerTo?: (command: string) => string | null, part: Partial<MailServer> = {}) {
  const smtp = await startScriptedSmtp(answerTo);
  onTestFinished(() => smtp.close());
  const server: MailServer = { host: '127.0.0.1', port: smtp.port, tls: 'none', login: null, ...part };
  return { smtp, server };
}

test('a mail arrives whole, once for all, named after its message', async () => {
  const { smtp, server } = await serverOf();
  expect(await sendBySmtp(server, mail)).toEqual({ answer: '250 2.0.0 queued as 17', refused: [] });
  const [received] = smtp.received;
  expect(received).toMatchObject({ from: mail.from, to: mail.to });
  const headers = received?.text.split('\n\n')[0] ?? '';
  expect(headers).toMatch(/^Message-ID: <019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11@tillbridge\.invalid>$/m);
  expect(headers).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(headers).toMatch(/^Date: Tue, 03 Nov 2026 12:00:00 \+0000$/m);
  expect(headers).toMatch(/^Subject: =\?UTF-8\?Q\?Tillbridge/m);
  expect(smtp.received).toHaveLength(1);
});

test('a name and password are used', async () => {
  const login = { user: 'alarms', password: 'p4ssw0rd' };
  const { smtp, server } = await serverOf(undefined, { login });
  await sendBySmtp(server, mail);
  const plain = Buffer.from('\0alarms\0p4ssw0rd').toString('base64');
  expect(smtp.commands).toContain(`AUTH PLAIN ${plain}`);
});

test('where TLS was asked for and the server has none, nothing is sent: no password and no mail', async () => {
  const login = { user: 'alarms', password: 'p4ssw0rd' };
  const { smtp, server } = await serverOf(undefined, { login, tls: 'starttls' });
  await expect(sendBySmtp(server, mail)).rejects.toThrow('STARTTLS');
  expect(smtp.commands.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
});

test('an address that is refused is told, and the others get their mail', async () => {
  const { smtp, server } = await serverOf((command) =>
    command.startsWith('RCPT TO:<owner') ? '550 5.1.1 no such user' : null,
  );
  expect((await sendBySmtp(server, mail)).refused).toEqual(['owner@chain.example']);
  expect(smtp.received.map(({ to }) => to)).toEqual([['support@chain.example']]);
});

test('a mail that is taken for nobody has failed', async () => {
  const { server } = await serverOf((command) => (command.startsWith('RCPT') ? '450 4.2.1 busy' : null));
  await expect(sendBySmtp(server, mail)).rejects.toThrow('450');
});
