/**
 * Card numbers in disguise: 500 of them into each entrance, and not one in any byte on disk or in anything that comes out.
 * What looks for them (`findNumbers`) shares nothing with the detector.
 */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log/index.ts';
import {
  parseApdu,
  fromHex,
  hex,
  describeMessage,
  decodeMessage,
  progressText,
  createReceiptLines,
  tracedHex,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { toTerminalRecord } from '../../src/bridge/terminals/zvt/record.ts';
import { createOutput } from '../../src/headless/cli-context.ts';
import {
  logExtract,
  discrepancyExtract,
  journalExtract,
  logFilesIn,
  maskedLines,
} from '../../src/host/saved-files/bundle-extracts.ts';
import { paymentsCsv } from '../../src/host/saved-files/payments-csv.ts';
import { inMemory, openWay } from '../end-to-end/way.ts';
import { run } from '../headless/test-context.ts';
import { disguisedCards, findNumbers } from '../support/disguised-cards.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { tapLine, type WireTap } from '../support/wire-tap.ts';

const all = disguisedCards();
const numbers = new Set(all.map(({ number }) => number));

let cleaning: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  const acts = cleaning.reverse();
  cleaning = [];
  for (const act of acts) await act();
});

function newFolder(): string {
  const folder = tempFolder('disguised');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything below `folder` that has a card number in it. */
function foundOnDisk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const file = join(entry.parentPath, entry.name);
    return findNumbers(readFileSync(file), numbers).map((number) => `${file}: ${number}`);
  });
}

describe('the search', () => {
  it('finds each of the 500', () => {
    expect(all).toHaveLength(500);
    expect(all.filter(({ text, number }) => findNumbers(text, [number]).length === 0)).toEqual([]);
    expect(
      all.filter(({ text, number }) => findNumbers(JSON.stringify({ text }), [number]).length === 0),
    ).toEqual([]);
    expect(findNumbers(fromHexOf('4111111111111111'), numbers)).toEqual(['4111111111111111']);
  });
});

describe('HTTP', () => {
  it('takes 500 in each field and each place of a head, and keeps and repeats none', async () => {
    const folder = newFolder();
    const kind = inMemory();
    const pretty = new PassThrough();
    let output = '';
    pretty.on('data', (piece: Buffer) => (output += String(piece)));
    const created = createLog({
      folder: join(folder, 'logs'),
      level: 'debug',
      clock: kind.clock,
      pretty,
      store: { file: join(folder, 'store', 'log-store.sqlite') },
    });
    const way = await openWay(kind, { folder, log: created.log });
    cleaning.push(() => way.close());
    await way.healthy();
    const answers: string[] = [];
    const seen: string[] = [];
    way.bridge.payments.subscribe((paymentsEvent) => seen.push(JSON.stringify(paymentsEvent)));

    const accepted: string[] = [];
    for (const [at, { text }] of all.entries()) {
      const inHead = encodeURIComponent(text);
      const plain = /^[\x20-\x7e]*$/.test(text) ? text : inHead;
      const fields = { [text]: text, card: { [text]: [text] }, condition_code: text };
      const [first, second] = await Promise.all([
        way.till.post(
          '/CreatePayment',
          { amount: text, retrieval_reference_number: text, ...fields },
          { 'x-request-id': plain.replaceAll(' ', '') },
        ),
        way.till.post(
          ['/QueryPayment', '/VoidPayment', '/CancelPayment'][at % 3] ?? '',
          { retrieval_reference_number: text, [text]: text },
          { 'user-agent': plain, prefer: `wait=${plain}`, 'accept-language': plain },
        ),
      ]);
      answers.push(told(first), told(second));
      // By itself a reference, with everything else in order: only the check stands before the journal.
      if (/^[A-Za-z0-9._-]{1,40}$/.test(text)) {
        const third = await way.till.post('/CreatePayment', {
          amount: '12.00',
          retrieval_reference_number: text,
        });
        if (!JSON.stringify(third.body).includes('card number')) accepted.push(text);
        answers.push(told(third));
      }
      answers.push(
        await raw(way.base, [
          `GET /${inHead}?card=${inHead} HTTP/1.1`,
          `Host: ${new URL(way.base).host}`,
          `Origin: https://${plain.replaceAll(/[ \r\n]/g, '')}.example`,
          'Connection: close',
        ]),
        await raw(way.base, [
          `POST /CreatePayment HTTP/1.1`,
          `Host: ${plain}`,
          `Authorization: Bearer ${plain}`,
          'Connection: close',
        ]),
      );
    }
    expect(accepted).toEqual([]);
    answers.push(JSON.stringify((await way.till.health()).body));
    await way.bridge.stop();
    await created.close();

    expect(all.length * 4).toBeLessThanOrEqual(answers.length);
    expect(answers.filter((each) => findNumbers(each, numbers).length > 0)).toEqual([]);
    expect(findNumbers(seen.join('\n'), numbers)).toEqual([]);
    expect(findNumbers(output, numbers)).toEqual([]);
    expect(foundOnDisk(folder)).toEqual([]);
    // Not for want of text.
    expect(output).toMatch(/\d{6}\*{6}\d{4}/);
    expect(output.length).toBeGreaterThan(10_000);
  });
});

const text = (words: string) => Buffer.from(words).toString('hex');
const tlv = (tag: string, hex: string) => `${tag}81${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const container = (hex: string) => `0682${(hex.length / 2).toString(16).padStart(4, '0')}${hex}`;
const apdu = (ctrl: string, data: string) => {
  const count = data.length / 2;
  return fromHex(
    `${ctrl}ff${(count & 0xff).toString(16).padStart(2, '0')}${(count >> 8).toString(16).padStart(2, '0')}${data}`,
  );
};
const lll = (hex: string) => (hex.length / 2).toString().padStart(3, '0').replace(/./g, 'f$&') + hex;
const utf8 = tlv('14', 'fe');

describe('the terminal', () => {
  /** Each way of a terminal to say a text. */
  const places: Record<string, (said: string) => Uint8Array> = {
    'what it shows': (said) => apdu('04ff', `ff01${container(utf8 + tlv('24', tlv('07', text(said))))}`),
    'what it shows, in two lines': (said) =>
      apdu(
        '04ff',
        `ff01${container(utf8 + tlv('24', tlv('07', text(said.slice(0, 8))) + tlv('07', text(said.slice(8)))))}`,
      ),
    'a receipt': (said) => apdu('06d3', container(utf8 + tlv('25', tlv('07', text(`Karte ${said} ok`))))),
    'a line of print': (said) => apdu('06d1', `00${text(said)}`),
    'the additional text of a result': (said) => apdu('040f', `276c3c${lll(text(said))}${container(utf8)}`),
    'an unknown object': (said) => apdu('040f', `2700${container(tlv('1f77', text(said)))}`),
    'an unknown command': (said) => apdu('0f0f', text(`?? ${said}`)),
  };

  it.each(Object.entries(places))(
    'says 500 as %s, and nothing that is made of it has one',
    (_place, make) => {
      const pretty = new PassThrough();
      const { log } = createLog({ folder: null, level: 'debug', clock: inMemory().clock, pretty });
      const leaks = all.filter(({ text: said, number }) => {
        const bytes = make(said);
        const message = decodeMessage(bytes, { encoding: 'utf8' });
        const receipt = createReceiptLines('utf8');
        receipt.take(message);
        const hex = tracedHex(bytes, message);
        log.debug('a frame', { source: 'zvt', hex });
        const out = [
          progressText(message, 'utf8'),
          JSON.stringify(toTerminalRecord(message, 'utf8')),
          JSON.stringify(receipt.printed.receiptLines),
          receipt.printed.receiptLines.join('\n'),
          JSON.stringify(describeMessage(message)),
          hex,
          String(pretty.read() ?? ''),
        ];
        return findNumbers(out.join('\n#####\n'), [number]).length > 0;
      });
      expect(leaks).toEqual([]);
    },
  );
});

describe('whole sales', () => {
  const places = {
    shown: (said: string) => apdu('04ff', `ff01${container(utf8 + tlv('24', tlv('07', text(said))))}`),
    receipt: (said: string[]) =>
      apdu('06d3', container(utf8 + said.map((each) => tlv('25', tlv('07', text(each)))).join(''))),
  };
  /** The result as it came, with two more texts. */
  const withTexts = (bytes: Uint8Array, said: string[]) => {
    const parsed = parseApdu(bytes);
    if (parsed === null) return bytes;
    const more = said.map((each) => `3c${lll(text(each))}`).join('');
    return apdu('040f', hex(parsed.data) + more);
  };

  it('bring 500 from the terminal, and no file, answer, event or part of a support bundle has one', async () => {
    const folder = newFolder();
    const kind = inMemory();
    const created = createLog({
      folder: join(folder, 'logs'),
      level: 'debug',
      clock: kind.clock,
      store: { file: join(folder, 'store', 'log-store.sqlite') },
    });
    let tap: WireTap | null = null;
    const way = await openWay(kind, {
      folder,
      log: created.log,
      settings: { zvt: { receipts: 'pos', textEncoding: 'utf8' } },
      wrapLine: (line) => (tap = tapLine(line)).line,
    });
    cleaning.push(() => way.close());
    await way.healthy();

    const perSale = 20;
    let said: string[] = [];
    let shown = 0;
    const placed = new Set<string>();
    const taken = tap as WireTap | null;
    if (taken === null) throw new Error('there is no tap');
    taken.rewriteToBridge = (apdu) => {
      const make = { '04ff': whatIsShown, '06d3': receipt, '040f': result }[hex(apdu.subarray(0, 2))];
      return make?.(apdu) ?? apdu;
    };
    function whatIsShown(): Uint8Array {
      shown += 1;
      return places.shown(said[shown % perSale] ?? '');
    }
    function receipt(): Uint8Array {
      for (const each of said) placed.add(each);
      return places.receipt(said);
    }
    function result(apdu: Uint8Array): Uint8Array {
      return withTexts(apdu, said.slice(0, 2));
    }

    const outputs: string[] = [];
    way.bridge.payments.subscribe((event) => outputs.push(JSON.stringify(event)));
    for (let from = 0; from < all.length; from += perSale) {
      said = all.slice(from, from + perSale).map(({ text }) => text);
      const created = await way.till.create('12.00', `SALE-${from}`, 60);
      expect(created.body['transaction_status']).toBe('approved');
      outputs.push(JSON.stringify(created.body));
    }
    expect(placed.size).toBe(new Set(all.map(({ text }) => text)).size);
    outputs.push(JSON.stringify((await way.till.health()).body));

    const { journal } = way.bridge;
    if (journal === null || created.store === null) throw new Error('journal and log store are open');
    const bundle = [
      ...journalExtract(folder, journal.lastSeq()),
      ...discrepancyExtract(journal),
      ...logExtract(created.store),
      ...paymentsCsv(journal, { span: null, status: null, text: null }),
    ];
    await way.bridge.stop();
    await created.close();
    for (const file of await logFilesIn(join(folder, 'logs'))) {
      for await (const lines of maskedLines(file)) bundle.push(lines);
    }
    expect(outputs.filter((each) => findNumbers(each, numbers).length > 0)).toEqual([]);
    expect(bundle.filter((each) => findNumbers(each, numbers).length > 0)).toEqual([]);
    expect(foundOnDisk(folder)).toEqual([]);
    // Not for want of text.
    for (const each of [outputs, bundle]) expect(each.join('')).toMatch(/\d{6}\*{6}\d{4}/);
  });
});

describe('the command line', () => {
  /** What a command line says, in the bytes that leave the process. */
  async function said(commandLine: string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const streams = [new PassThrough(), new PassThrough()] as const;
    await run(commandLine, { environment, ...createOutput(...streams) });
    return streams.map((stream) => String(stream.read() ?? '')).join('\n');
  }

  it('repeats none of 500 arguments', async () => {
    const folder = newFolder();
    const out: string[] = [];
    const data = ['--data-dir', join(folder, 'data')];
    for (const [at, { text }] of all.entries()) {
      const commands = [
        ['resolve', text, '--outcome', 'charged', '--by', text, '--reason', text, ...data],
        ['token', 'create', text, ...data],
        ['bridge', '--terminal', text, ...data],
        ['remote', text, text, text],
      ];
      out.push(await said(commands[at % commands.length] ?? []), await said([text]));
    }
    expect(out.filter((each) => findNumbers(each, numbers).length > 0)).toEqual([]);
    // Not for want of text.
    expect(out.join('').match(/\d{6}\*+/g)?.length).toBeGreaterThan(20);
    mkdirSync(join(folder, 'data'), { recursive: true });
    expect(foundOnDisk(folder)).toEqual([]);
  });

  it('repeats none of 500 in a configuration file or the environment', async () => {
    const folder = newFolder();
    const file = join(folder, 'settings.json');
    const out: string[] = [];
    for (const { text } of all) {
      writeFileSync(
        file,
        JSON.stringify({ [text]: text, terminal: text, currency: text, host: text, port: text }),
      );
      out.push(await said(['bridge', '--config', file]));
      out.push(
        await said(['bridge'], {
          TILLBRIDGE_TERMINAL: text,
          TILLBRIDGE_CURRENCY: text,
          TILLBRIDGE_PORT: text,
        }),
      );
    }
    expect(findNumbers(out.join('\n'), numbers)).toEqual([]);
    // Not for want of text.
    expect(out.join('').match(/\d{6}\*+/g)?.length).toBeGreaterThan(20);
  });

  it('repeats none of 500 that a remote service says', async () => {
    let text = '';
    let status = 400;
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const refused = {
        message: text,
        code: text,
        request_id: text,
        issues: [{ path: text, message: text }],
      };
      response.end(
        JSON.stringify(status === 200 ? { id: 'x', object: text, [text]: text, nested: [text] } : refused),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleaning.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    const out: string[] = [];
    for (const [at, each] of all.entries()) {
      ({ text } = each);
      status = at % 2 === 0 ? 400 : 200;
      out.push(
        await said(['remote', 'accounts', 'retrieve', 'x', '--base-url', base, '--allow-undocumented'], {
          TILLBRIDGE_REMOTE_TOKEN: 't',
        }),
      );
    }
    expect(findNumbers(out.join('\n'), numbers)).toEqual([]);
    // Not for want of text.
    expect(out.join('').match(/\d{6}\*+/g)?.length).toBeGreaterThan(20);
  });
});

function told({ headers, body }: { headers: Headers; body: unknown }): string {
  return JSON.stringify([[...headers], body]);
}

/** What comes back for a request that `fetch` would not send. */
function raw(base: string, head: string[]): Promise<string> {
  const { port, hostname } = new URL(base);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
    socket.on('data', (piece: Buffer) => (answer += String(piece)));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

function fromHexOf(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}
