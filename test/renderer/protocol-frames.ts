/** Frames of each protocol as its driver logs them, from the recorded days, for pages that show them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as ecr17 from '../../src/bridge/terminals/ecr17/wire/index.ts';
import * as ecrEdc from '../../src/bridge/terminals/ecr-edc/wire/index.ts';
import * as kpay from '../../src/bridge/terminals/kpay/wire/index.ts';
import * as transbank from '../../src/bridge/terminals/transbank/wire/index.ts';
import type { TimelineEntry } from '../../src/contract/console/index.ts';
import type { FrameField } from '../../src/contract/frame.ts';

type Frame = Extract<TimelineEntry, { kind: 'frame' }>;
type Direction = Frame['direction'];
/** `fields` are `FrameField`, with a place that may be missing. */
type Said = Pick<Frame, 'control' | 'name' | 'hex'> & { fields: readonly (readonly unknown[])[] };

const profile = ecrEdc.edcProfile('generic');
if (profile === null) throw new Error('there is no profile generic');

const readers: Record<string, (data: Uint8Array, direction: Direction) => Said> = {
  transbank(data, direction) {
    const message = transbank.decodeMessage(data, direction);
    const { command: control, name } = message;
    const [hex, fields] = [transbank.tracedHex(data, message), transbank.traceFields(message)];
    return { control, name: name ?? 'unknown', hex, fields };
  },
  ecr17(data, direction) {
    const message = ecr17.decodeMessage(data, direction);
    const { code: control, name } = message;
    return {
      control,
      name: name ?? 'unknown',
      hex: ecr17.tracedHex(data, message),
      fields: ecr17.traceFields(message),
    };
  },
  'ecr-edc'(data) {
    const message = ecrEdc.decodeMessage(data);
    return {
      control: message.txCode,
      name: ecrEdc.messageName(message, profile),
      hex: ecrEdc.tracedHex(data, message),
      fields: ecrEdc.traceFields(message, profile, 'THB'),
    };
  },
};

const recorded = path.join(import.meta.dirname, '../bridge/capture/recorded');

/** All of the day that was recorded of this protocol. */
export function framesOf(protocol: 'transbank' | 'ecr17' | 'ecr-edc'): TimelineEntry[] {
  const lines = readFileSync(path.join(recorded, `${protocol}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.flatMap((line, index): TimelineEntry[] => {
    const entry = JSON.parse(line) as { kind: string; from?: string; hex?: string };
    if (entry.kind !== 'frame') return [];
    const data = Buffer.from((entry.hex ?? '').replaceAll(/[:*]/g, ''), 'hex');
    return [frame(protocol, entry.from === 'bridge' ? 'to_terminal' : 'from_terminal', data, index)];
  });
}

/** An answer of KPay. */
export function kpayAnswer(): TimelineEntry {
  const body = Buffer.from(
    '{"code":10000,"message":"success","data":{"outTradeNo":"T1","payAmount":"000000001900","payCurrency":"344","payResult":2}}',
  );
  const said: Said = {
    control: '/v2/pos/query',
    name: 'answer',
    hex: kpay.tracedHex(body),
    fields: kpay.traceFields(body, 'HKD'),
  };
  return entryOf('kpay', 'from_terminal', said, body.length, 1);
}

function frame(protocol: string, direction: Direction, data: Uint8Array, index: number): TimelineEntry {
  const read = readers[protocol];
  if (read === undefined) throw new Error(`no frames of ${protocol}`);
  return entryOf(protocol, direction, read(data, direction), data.length, index);
}

function entryOf(
  protocol: string,
  direction: Direction,
  said: Said,
  lengthBytes: number,
  logLineId: number,
): TimelineEntry {
  const at = new Date(Date.UTC(2026, 4, 12, 8) + logLineId * 100).toISOString();
  const hex = said.hex?.replaceAll(':', ' ') ?? null;
  const fields = said.fields as FrameField[];
  return { kind: 'frame', at, protocol, direction, ...said, hex, fields, lengthBytes, logLineId };
}
