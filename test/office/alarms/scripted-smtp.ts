/** A mail server that takes what it is sent and keeps it, or refuses as it is told to. No TLS. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

interface ReceivedMail {
  from: string;
  to: string[];
  /** The whole text between DATA and its end. */
  text: string;
}

export interface ScriptedSmtp {
  port: number;
  received: ReceivedMail[];
  /** All lines that clients have sent, but for the mails themselves. */
  commands: string[];
  close(): Promise<void>;
}

/** `answerTo` gives another answer to a command than the usual one; null: the usual one. */
export async function startScriptedSmtp(
  answerTo: (command: string) => string | null = () => null,
): Promise<ScriptedSmtp> {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let waiting = '';
    let mail: ReceivedMail = { from: '', to: [], text: '' };
    let isMail = false;
    const onLine = (line: string) => {
      if (isMail) {
        if (line !== '.') return void (mail.text += `${line}\n`);
        isMail = false;
        received.push(mail);
        mail = { from: '', to: [], text: '' };
        return say('250 2.0.0 queued as 17');
      }
      commands.push(line);
      const other = answerTo(line);
      if (other !== null) return say(other);
      const [verb = ''] = line.split(' ');
      switch (verb.toUpperCase()) {
        case 'EHLO':
          return say('250-mail.test\r\n250 AUTH PLAIN');
        case 'AUTH':
          return say('235 2.7.0 accepted');
        case 'MAIL':
          mail.from = addressIn(line);
          return say('250 2.1.0 ok');
        case 'RCPT':
          mail.to.push(addressIn(line));
          return say('250 2.1.5 ok');
        case 'DATA':
          isMail = true;
          return say('354 go on');
        case 'QUIT':
          say('221 2.0.0 bye');
          return socket.end();
        default:
          return say('502 5.5.1 not known');
      }
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${waiting}${text}`.split('\r\n');
      waiting = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    say('220 mail.test ESMTP');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
