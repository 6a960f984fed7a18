/** The terminal of the example in docs/terminals.md, on a TCP port: it knows the page's table and nothing of the bridge. */
import { createServer, type Socket } from 'node:net';

export interface PlainTerminal {
  port: number;
  /** What it charged and has not given back, in minor units, by our reference. */
  charged: Map<string, number>;
  /** How often each command came. */
  commands: Map<string, number>;
  close(): void;
}

/** Amounts that end in 06 are charged, and the line is cut before the answer; those in 01 are refused. */
export async function startPlainTerminal(): Promise<PlainTerminal> {
  const results = new Map<string, string>();
  const charged = new Map<string, number>();
  const receipts = new Map<string, string>();
  const commands = new Map<string, number>();
  const sockets = new Set<Socket>();
  let receipt = 41;

  function answer(line: string, socket: Socket): string | null {
    const [command = '', reference = '', value = ''] = line.split(' ');
    commands.set(command, (commands.get(command) ?? 0) + 1);
    switch (command) {
      case 'HELLO':
        return 'HELLO READY 12345678';
      case 'SALE': {
        if (value.endsWith('01')) {
          results.set(reference, 'NO Card expired');
          return `SALE ${reference} NO Card expired`;
        }
        receipt += 1;
        charged.set(reference, Number(value));
        receipts.set(String(receipt), reference);
        results.set(reference, `OK ${receipt} ${value}`);
        if (!value.endsWith('06')) return `SALE ${reference} OK ${receipt}`;
        socket.destroy();
        return null;
      }
      case 'VOID': {
        const paid = receipts.get(value) ?? '';
        if (!charged.delete(paid)) return `VOID ${reference} NO No such receipt`;
        receipt += 1;
        return `VOID ${reference} OK ${receipt}`;
      }
      case 'CLOSE': {
        const total = [...charged.values()].reduce((sum, amount) => sum + amount, 0);
        return `CLOSE OK ${charged.size} ${total}`;
      }
      case 'FIND':
        return `FIND ${reference} ${results.get(reference) ?? 'NONE'}`;
      default:
        return null;
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (piece: Buffer) => {
      const lines = (text + piece.toString('latin1')).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const said = answer(line, socket);
        if (said !== null) socket.write(`${said}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    charged,
    commands,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
