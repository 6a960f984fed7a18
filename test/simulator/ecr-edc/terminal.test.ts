/** What the simulated ECR-EDC terminal does on its line, against a till that the test plays byte by byte. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import {
  createFrameParser,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  fieldText,
  lastFourOf,
  type EdcMessage,
  type MessageParts,
} from '../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { ecrEdcDialects } from '../../../src/simulator/ecr-edc/dialects.ts';
import {
  createEcrEdcSimulator,
  type EcrEdcSimulatorOptions,
} from '../../../src/simulator/ecr-edc/ecr-edc-simulator.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const cleaning: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

const sale = (amount: string, reference1?: string): Partial<MessageParts> => ({
  txCode: '20',
  fields: [
    ['40', amount.padStart(12, '0')],
    ...(reference1 === undefined ? [] : [['R1', reference1] as const]),
  ],
});
const damage = (frame: Uint8Array) => frame.with(frame.length - 1, (frame.at(-1) ?? 0) ^ 0xff);

function setUp(options: Partial<EcrEdcSimulatorOptions> = {}) {
  const folder = tempFolder('ecr-edc-terminal');
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock();
  const start = () =>
    createEcrEdcSimulator({
      ledgerFile: join(folder, 'ledger.jsonl'),
      timeScale: 0,
      clock,
      log: silentLog,
      profile: 'kbtg',
      ...options,
    });
  let simulator = start();
  cleaning.push(() => simulator.close());
  const connect = () => {
    const [near, far] = createMemoryPair();
    simulator.attach(far);
    const heard: string[] = [];
    const messages: EdcMessage[] = [];
    const parser = createFrameParser(false);
    near.onData((bytes) => {
      for (const event of parser.push(bytes)) {
        if (event.kind !== 'message') {
          heard.push(event.kind);
          continue;
        }
        const message = decodeMessage(event.message);
        messages.push(message);
        heard.push(`${message.txCode} ${message.responseCode.replaceAll('\0', '·')}`);
      }
    });
    const write = async (bytes: Uint8Array) => {
      near.write(bytes);
      await clock.advance(0);
    };
    return {
      heard,
      messages,
      write,
      frame: (parts: Partial<MessageParts>) =>
        encodeFrame(encodeMessage({ requestResponse: '0', txCode: 'D0', ...parts }), false),
      async ask(parts: Partial<MessageParts>) {
        await write(this.frame(parts));
      },
    };
  };
  return {
    clock,
    connect,
    get simulator() {
      return simulator;
    },
    async restart() {
      await simulator.close();
      simulator = start();
    },
  };
}

describe('the terminal', () => {
  it('acknowledges, tells what it waits for, and answers', async () => {
    const till = setUp().connect();
    await till.ask(sale('1250'));
    expect(till.heard).toEqual(['ack', 'C0 00', 'C1 00', 'P1 00', 'P2 00', '20 00']);
  });

  it('answers again on a NAK, three times in all, and never for want of an ACK', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask({ txCode: 'D0' });
    await kit.clock.advance(60_000);
    for (let count = 1; count <= 4; count += 1) await till.write(Uint8Array.of(0x15));
    expect(till.heard).toEqual(['ack', 'D0 00', 'D0 00', 'D0 00']);
  });

  it('refuses a damaged frame, and one that breaks off', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.write(damage(till.frame(sale('1250'))));
    await till.write(till.frame(sale('1250')).subarray(0, 20));
    await kit.clock.advance(2_000);
    expect(till.heard).toEqual(['nak', 'nak']);
    expect(kit.simulator.state().openBatch.count).toBe(0);
  });

  it('hears nothing while a customer is at it, but the request to stop', async () => {
    const kit = setUp({ timeScale: 1 });
    const till = kit.connect();
    await till.ask(sale('1250'));
    await till.ask({ txCode: 'D0' });
    await till.write(damage(till.frame({})));
    expect(till.heard).toEqual(['ack', 'C0 00']);
    await till.ask({ txCode: 'D1' });
    expect(till.heard.slice(2)).toEqual(['ack', 'D1 ··', '20 CN']);
    expect(kit.simulator.state().openBatch.count).toBe(0);
  });

  it('says when it is too late to stop', async () => {
    const kit = setUp({ timeScale: 1 });
    const till = kit.connect();
    await till.ask(sale('1250'));
    await kit.clock.advance(700);
    await till.ask({ txCode: 'D1' });
    await kit.clock.advance(1_000);
    expect(till.heard.slice(-2)).toEqual(['D1 NA', '20 00']);
  });

  it('goes on when its line is cut, and knows after a restart what it sold', async () => {
    const kit = setUp({ timeScale: 1 });
    await kit.connect().ask(sale('1250', 'TILLBRDGA1B2C3D4E5F6'));
    kit.simulator.cutLine(3_000);
    await kit.clock.advance(4_000);
    await kit.restart();
    const till = kit.connect();
    await till.ask({ txCode: '74', fields: [['R1', 'TILLBRDGA1B2C3D4E5F6']] });
    await till.ask({ txCode: '74', fields: [['R1', 'TILLBRDGZZZZZZZZZZZZ']] });
    expect(till.heard).toEqual(['ack', '74 00', 'ack', '74 ND']);
    expect(till.messages.map((message) => fieldText(message, '65'))).toEqual(['000001', null]);
  });

  it('forgets what it had not decided when it loses power', async () => {
    const kit = setUp({ timeScale: 1 });
    await kit.connect().ask(sale('1250'));
    kit.simulator.losePower(1_000);
    await kit.clock.advance(10_000);
    expect(kit.simulator.state()).toMatchObject({ busy: false, openBatch: { count: 0 } });
  });

  it('voids once, by the invoice number, and not after the batch was closed', async () => {
    const kit = setUp();
    const till = kit.connect();
    const invoices = [1, 2].map(() => kit.simulator.payManually(1_250));
    const undo = (invoice = '') => till.ask({ txCode: '26', fields: [['65', invoice]] });
    await undo(invoices[0]);
    await undo(invoices[0]);
    kit.simulator.closeDayManually();
    await undo(invoices[1]);
    await till.ask({ txCode: '50' });
    expect(till.heard.filter((one) => one !== 'ack')).toEqual(['26 00', '26 ND', '26 ND', '50 NB']);
  });

  it('does nothing that it was not asked for in its form', async () => {
    const kit = setUp();
    const till = kit.connect();
    await till.ask({ ...sale('1250'), requestResponse: '1' });
    await till.ask(sale('0'));
    await till.ask({ txCode: '27', fields: [['40', '000000001250']] });
    await till.ask({ txCode: 'ZZ' });
    expect(till.heard.filter((one) => one !== 'ack')).toEqual(['20 03', '27 NA', 'ZZ NA']);
    expect(kit.simulator.state().openBatch.count).toBe(0);
  });

  it('sends what a reader stumbles over, and a reader that masks by field sees no card', async () => {
    const till = setUp({ dialect: ecrEdcDialects.talkative }).connect();
    await till.ask(sale('1250'));
    const answer = till.messages.at(-1);
    expect(answer?.problems).toEqual([]);
    expect(answer?.fields.filter(({ length }) => length === 0).map(({ type }) => type)).toEqual(['06']);
    expect(answer === undefined ? null : lastFourOf(answer)).toMatch(/^\d{4}$/);
    const masked = Buffer.from(answer?.maskedMessage ?? []).toString('latin1');
    expect(masked).toContain('TILLBRIDGE SIMULATOR');
    for (const secret of ['411111111111', 'SOMCHAI']) expect(masked).not.toContain(secret);
  });
});
