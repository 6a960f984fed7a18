/** A till's exchanges on a memory line, and the terminal at its other end, played by hand on a virtual clock. */
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { createExchanges } from '../../../../src/bridge/terminals/ecr-edc/exchange.ts';
import {
  createFrameParser,
  decodeMessage,
  edcProfile,
  encodeFrame,
  encodeMessage,
  type EdcMessage,
  type MessageParts,
} from '../../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import { concatBytes } from '../../../../src/bridge/terminals/framing/index.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { createVirtualClock, settle } from '../../../support/virtual-clock.ts';

export const ack = Uint8Array.of(0x06);
export const nak = Uint8Array.of(0x15);
const sale = { amountMinor: 1_250, reference1: 'TB000000000000000042' };
export const approved: MessageParts = {
  requestResponse: '1',
  txCode: '20',
  fields: [
    ['02', 'APPROVED'],
    ['01', '178570'],
    ['65', '000092'],
  ],
};
export const declined: MessageParts = { requestResponse: '1', txCode: '20', responseCode: 'ND' };
export const waitsForCard: MessageParts = { requestResponse: '1', txCode: 'C0', more: '1' };

export function setUp(profileName = 'kbtg') {
  const profile = edcProfile(profileName);
  if (profile === null) throw new Error(`there is no profile ${profileName}`);
  const clock = createVirtualClock();
  const [near, far] = createMemoryPair();
  const framed = (parts: MessageParts) => encodeFrame(encodeMessage(parts), profile.lrcIncludesStx);

  let queue: string[] = [];
  const parser = createFrameParser(profile.lrcIncludesStx);
  far.onData((bytes) => {
    for (const event of parser.push(bytes))
      queue.push(event.kind === 'message' ? decodeMessage(event.message).txCode : event.kind);
  });

  const notices: string[] = [];
  const persisted: string[] = [];
  const unsolicited: string[] = [];
  const may = { persist: true, takeOver: true };
  const codes = ({ txCode, responseCode }: EdcMessage) => `${txCode} ${responseCode}`;
  const exchanges = createExchanges({
    connection: near,
    profile,
    clock,
    log: silentLog,
    trace() {},
    unsolicited(message) {
      unsolicited.push(codes(message));
      return may.takeOver;
    },
  });
  const watch = {
    notice: ({ text }: { text: string }) => void notices.push(text),
    persist(message: EdcMessage) {
      persisted.push(codes(message));
      return may.persist;
    },
  };
  return {
    clock,
    exchanges,
    watch,
    notices,
    persisted,
    unsolicited,
    may,
    framed,
    sale: () => exchanges.ask('sale', sale, watch),
    inquiry: () => exchanges.ask('inquiry', sale, watch),
    sendBytes: async (...bytes: Uint8Array[]) => {
      far.write(concatBytes(...bytes));
      await settle();
    },
    send: async (...all: MessageParts[]) => {
      for (const parts of all) far.write(framed(parts));
      await settle();
    },
    /** What came from the till since the last look: transaction codes, `ack`, `nak`. */
    heard: async () => {
      await settle();
      const heard = queue;
      queue = [];
      return heard;
    },
    cut: async () => {
      await far.close();
      await settle();
    },
  };
}
