/** Commands that move no money: registration, log-off, status, last record, diagnosis, abort without a payment. */
import { currencyNumeric } from '../contract/money.ts';
import { fromHex, hex, bitmap, encodeMessage, findTlv } from '../bridge/terminals/zvt/wire/index.ts';
import type { Exchange } from './exchange.ts';
import { checkPassword } from './orders.ts';
import { takeStep } from './steps.ts';
import { receiptMessages } from './receipts.ts';
import {
  sendsAdministrationReceipts,
  sendsPaymentReceipts,
  unregistered,
  type Terminal,
} from './simulated-terminal.ts';
import { bareStatus, completion, currencyBitmap, recordStatus } from './replies.ts';

const softwareVersion = 'Tillbridge simulator 1';
/** The terminal status in the completion of 05 01 (ZVT PA00P015). */
const ready = '00';

/** Bits of BMP 03, the service byte: the first two of 06 20, the others of 05 01 (ZVT PA00P015). */
const sendStatus = 0x01;
const doNotPrint = 0x02;
const withoutVersion = 0x02;
const furtherStatus = 0x04;

/** Registration, 06 00 (ZVT PA00P015). A wrong currency is answered with 84 1E, 6F and the right one. */
export async function serveRegistration(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { command } = exchange;
  const refusal = checkPassword(terminal, command, 'required');
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  const { configByte, currency } = command.positional;
  if (typeof configByte !== 'string') return exchange.endWithAnswer('8483');
  if (currency !== undefined && terminal.dialect.refusesCurrency) return exchange.endWithAnswer('849a');
  const ours = `0${currencyNumeric(terminal.currency)}`;
  if (currency !== undefined && currency !== ours) {
    return exchange.endWithAnswer('841e', fromHex(`6f${ours}`));
  }
  if (!(await exchange.accept())) return;
  await sendResultInside(terminal, exchange);
  const permitted = findTlv(command.tlv, '26', '0a').map((object) => hex(object.value));
  terminal.registration = {
    configurationByte: Number.parseInt(configByte, 16),
    tlvAllowed: bitmap(command, '06') !== null,
    permittedCommands: findTlv(command.tlv, '26').length > 0 ? permitted : null,
    currencyNamed: currency !== undefined,
  };
  if (terminal.dialect.bareCompletions) return exchange.finish(completion);
  const bitmaps: [string, string][] = [['19', ready]];
  if (terminal.dialect.terminalIdIn === 'registration') bitmaps.push(['29', terminal.terminalId]);
  await exchange.finish(encodeMessage({ ctrl: '060f', bitmaps: [...bitmaps, ...currencyBitmap(terminal)] }));
}

/** 06 02 ends with the answer itself. */
export async function serveLogOff(terminal: Terminal, exchange: Exchange): Promise<void> {
  terminal.registration = unregistered;
  exchange.endWithAnswer('8000');
}

/** Status enquiry, 05 01 (ZVT PA00P015); its completion is positional: the software version, then the status. */
export async function serveStatusEnquiry(terminal: Terminal, exchange: Exchange): Promise<void> {
  const refusal = checkPassword(terminal, exchange.command, 'optional');
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  if (terminal.dialect.refusesStatusEnquiry) return exchange.endWithAnswer('8483');
  if (!(await exchange.accept())) return;
  await sendResultInside(terminal, exchange);
  if (terminal.dialect.bareCompletions) return exchange.finish(completion);
  const [service = 0] = bitmap(exchange.command, '03') ?? [];
  const version = (service & withoutVersion) === 0 ? { swVersion: softwareVersion } : {};
  const details =
    (service & furtherStatus) !== 0 &&
    terminal.registration.tlvAllowed &&
    terminal.dialect.terminalIdIn === 'registration';
  const device = { tag: 'e4', children: [{ tag: '1f44', hex: terminal.terminalId }] };
  await exchange.finish(
    encodeMessage({
      ctrl: '060f',
      positional: { ...version, terminalStatus: ready },
      ...(details ? { bitmaps: [['06', null]], tlv: [device] } : {}),
    }),
  );
}

/** Repeat receipt, 06 20 (ZVT PA00P015). With no record there is nothing to send: the completion comes at once. */
export async function serveRepeatReceipt(terminal: Terminal, exchange: Exchange): Promise<void> {
  const refusal = checkPassword(terminal, exchange.command, 'required');
  if (refusal !== null) return exchange.endWithAnswer(refusal);
  if (!(await exchange.accept())) return;
  const [service = 0] = bitmap(exchange.command, '03') ?? [];
  const { shownRecord } = terminal.dialect;
  const record = shownRecord === 'nothing' ? null : terminal.memory.lastRecord;
  const messages: Uint8Array[] = [];
  if (shownRecord === 'print_lines') {
    if (record !== null) messages.push(...receiptMessages(terminal, record));
  } else if (record !== null && (service & sendStatus) !== 0) messages.push(recordStatus(terminal, record));
  if (shownRecord === 'status' && record !== null && (service & doNotPrint) === 0) {
    const { registration } = terminal;
    const sends =
      record.kind === 'batch'
        ? sendsAdministrationReceipts(registration)
        : sendsPaymentReceipts(registration);
    if (sends) messages.push(...receiptMessages(terminal, record));
  }
  for (const message of messages) {
    const answer = await exchange.sendAndWait(message);
    if (answer.kind === 'undelivered') return;
  }
  await exchange.finish(completion);
}

/** The 04 0F that some terminals put into an enquiry, though no payment is about. */
async function sendResultInside(terminal: Terminal, exchange: Exchange): Promise<void> {
  const { insideEnquiries } = terminal.dialect;
  const record = terminal.memory.lastRecord;
  if (insideEnquiries === 'nothing') return;
  const shows = insideEnquiries === 'last_record' && record !== null;
  await exchange.sendAndWait(shows ? recordStatus(terminal, record) : bareStatus('00'));
}

/** 06 70: a call to the host that finds everything well. */
export async function serveDiagnosis(terminal: Terminal, exchange: Exchange): Promise<void> {
  if (!(await exchange.accept())) return;
  const takesMs = terminal.timings.hostMs * terminal.timeScale;
  const end = await takeStep(terminal, exchange, { status: 'd2', text: 'Connecting to the bank', takesMs });
  if (end === 'on') await exchange.finish(completion);
}
