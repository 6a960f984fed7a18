/**
 * Commands on a shop, in the middle of which the cable is pulled and put back: at the first piece of bytes, at the second and
 * so on, until there is none any more. Each time the POS asks how it ended, and what it hears is held against the terminal's
 * ledger.
 */
import { pause, systemClock } from '../../src/base/clock.ts';
import { formatAmount } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { compareSale, type SaleFacts } from '../crash/books.ts';
import { isOfCrash, isOfProtocol, type Doubt } from '../crash/doubts.ts';
import { settle } from '../crash/round.ts';
import { waitFor } from '../support/real-time.ts';
import type { Fate } from './pieces.ts';
import type { Row, Transport } from '../support/protocol-rows.ts';
import { openShop, type MatrixShop } from './shop.ts';

const commandNames = ['sale', 'cancel', 'void', 'batch'] as const;
export type CommandName = (typeof commandNames)[number];

export function commandsOf({ protocol }: Row): readonly CommandName[] {
  return commandNames.filter((command) => protocol.cancels || command !== 'cancel');
}

export interface LaneReport {
  /** How often the cable was pulled. */
  pulled: number;
  /** How many of the payments that it was pulled in ended how, as QueryPayment says when nothing goes on any more. */
  outcomes: Record<string, number>;
  /** What was left to a person, who then decided by the ledger. */
  leftToPerson: number;
  /** Every disagreement, in words. */
  wrong: string[];
}

const usualEnds: Record<CommandName, TransactionStatus> = {
  sale: 'approved',
  cancel: 'cancelled',
  void: 'voided',
  batch: 'settled',
};

/** From a piece that still arrives to the end of the connection: what is read late was there all the same. */
const arrivalMs = 50;
/** Where there is no line, only the next request shows that nobody is there: a KPay terminal is asked every two seconds. */
const unpluggedMs: Record<Transport, number> = { tcp: 300, serial: 300, http: 2_500 };
/** For an answer of the bridge, in seconds; more than any terminal is waited for. */
const waitS = 200;
/** Until everything is decided: some terminals are given three minutes before a person is asked. */
const decidedMs = 600_000;
/** More pieces than any command has. */
const manyPieces = 100;
const noPiece = 0;
/** Of the simulator: a payment takes about 0.2 s. */
const pace = 0.2;
/** The last digit of an amount at which the terminal waits for its host for half a minute: a cancel comes in time. */
const slowHost = 7;

/** One command, with the cable pulled at each of its pieces in turn. */
export function runLane(row: Row, command: CommandName, fate: Fate): Promise<LaneReport> {
  return onShop(row, async (lane) => {
    for (let nth = 1; nth < manyPieces; nth += 1) if (!(await meet(lane, { command, fate, nth }))) return;
    lane.report.wrong.push(`a ${command} has more than ${manyPieces} pieces`);
  });
}

/** Each command once without an accident, and a sale with the cable pulled at the piece `nth`. */
export function runEach(row: Row, nth: number): Promise<LaneReport> {
  return onShop(row, async (lane) => {
    for (const command of commandsOf(row)) await meet(lane, { command, fate: 'pass', nth: noPiece });
    await meet(lane, { command: 'sale', fate: 'lose', nth });
  });
}

async function onShop(row: Row, play: (lane: Lane) => Promise<void>): Promise<LaneReport> {
  const report: LaneReport = { pulled: 0, outcomes: {}, leftToPerson: 0, wrong: [] };
  let shop: MatrixShop | null = null;
  try {
    shop = await openShop(row, pace);
    const lane: Lane = { row, shop, sales: [], report };
    await settle(shop, shop.till, []);
    // A terminal that holds nothing of ours proves nothing by what it does not hold.
    const { sale, request } = ring(lane, { wait: waitS });
    await request;
    await queryAll(lane);
    if (sale.status !== 'approved') report.wrong.push(`the first sale is ${String(sale.status)}`);
    await play(lane);
    const verified = await shop.command('journal', 'verify');
    if (verified.exitCode !== 0) report.wrong.push(`journal verify: ${verified.output}`);
  } catch (error) {
    report.wrong.push(`broken off: ${String(error)}\n${shop?.lastWords() ?? ''}`);
  } finally {
    await shop?.close();
  }
  return report;
}

interface Lane {
  row: Row;
  shop: MatrixShop;
  /** All that the POS ever rang up. */
  sales: SaleFacts[];
  report: LaneReport;
}

/**
 * A sale with a reference and an amount of its own: in minor units a multiple of 400, which a Transbank terminal can void,
 * and the last digit of a scenario more.
 */
function ring({ row, shop, sales }: Lane, { wait, scenario = 0 }: { wait?: number; scenario?: number }) {
  const reference = `M-${sales.length}`;
  const amount = formatAmount(400 * (sales.length + 2) + scenario, row.currency);
  const sale: SaleFacts = { reference, amount, status: null };
  sales.push(sale);
  return { sale, request: shop.till.create(amount, reference, wait) };
}

/**
 * What is still approved is taken again: a Transbank terminal lists all that it holds before a void, each in a piece of its own.
 * One of the profile generic gets no void before it has told its id with a payment, each time that it was connected.
 */
async function approvedSale(lane: Lane, command: CommandName): Promise<SaleFacts> {
  const last = lane.sales.at(-1);
  const isNewNeeded = command === 'void' && lane.row.protocol.name === 'ecr-edc generic';
  if (last?.status === 'approved' && !isNewNeeded) return last;
  const { sale, request } = ring(lane, { wait: waitS });
  await request;
  return sale;
}

interface Accident {
  command: CommandName;
  fate: Fate;
  /** The piece at which the cable is pulled, from 1. */
  nth: number;
}

/** False: the command has fewer pieces. */
async function meet(lane: Lane, { command, fate, nth }: Accident): Promise<boolean> {
  const { row, shop, report } = lane;
  const { cable, till } = shop;
  const paid = command === 'void' || command === 'batch' ? await approvedSale(lane, command) : undefined;
  await settle(shop, till, []);

  await cable.arm(nth, fate);
  let ended = false;
  const { sale, answer } = begin(lane, command, paid);
  const answered = answer.finally(() => (ended = true));
  await waitFor(() => cable.struck || ended, 'the pulled cable, or the end', { limitMs: waitS * 1_000 });
  const happened = cable.struck;
  if (happened) {
    report.pulled += 1;
    if (fate === 'pass') await pause(systemClock, arrivalMs);
    await cable.pull();
    await pause(systemClock, unpluggedMs[row.transport]);
    await cable.put();
  } else {
    await cable.arm(noPiece, fate);
  }
  await answered;

  const doubts: Doubt[] = [];
  await settle(shop, till, doubts, decidedMs);
  const wrong = doubts
    // Where the cable was pulled a connection has ended, as in a crash.
    .filter((doubt) => !isOfProtocol(doubt, row.protocol) && !isOfCrash(doubt, row.protocol))
    .map(({ words }) => `left to a person: ${words}`);
  await queryAll(lane);
  wrong.push(...lane.sales.flatMap((one) => compareSale(one, shop.ledger())));
  if (!happened && sale.status !== usualEnds[command]) wrong.push(`without an accident it is ${sale.status}`);
  const where = happened ? `piece ${nth}, ${fate}` : 'no accident';
  report.wrong.push(...wrong.map((words) => `${where}: ${words}`));
  report.leftToPerson += doubts.length;
  if (happened) {
    const end = doubts.length > 0 ? 'decided by a person' : (sale.status ?? 'never known');
    report.outcomes[end] = (report.outcomes[end] ?? 0) + 1;
  }
  return happened;
}

function begin(
  lane: Lane,
  command: CommandName,
  paid: SaleFacts | undefined,
): { sale: SaleFacts; answer: Promise<unknown> } {
  const { till, cable } = lane.shop;
  switch (command) {
    case 'sale': {
      const { sale, request } = ring(lane, { wait: waitS });
      return { sale, answer: request };
    }
    case 'cancel': {
      const { sale, request } = ring(lane, { scenario: slowHost });
      // Before its first byte it would only be withdrawn.
      const begun = request.then(() => waitFor(() => cable.begun, 'the first byte of a sale'));
      const cancelled = begun.then(() => till.cancel(sale.reference));
      return { sale, answer: cancelled.then(() => till.query(sale.reference, waitS)) };
    }
    case 'void':
    case 'batch': {
      if (paid === undefined) throw new Error('there is no payment to void or to settle');
      const answer = command === 'void' ? till.void(paid.reference, waitS) : till.batch(waitS);
      return { sale: paid, answer };
    }
  }
}

async function queryAll({ shop, sales }: Lane): Promise<void> {
  for (const sale of sales) {
    const { body } = await shop.till.query(sale.reference);
    sale.status = body.success ? (body['transaction_status'] as TransactionStatus) : null;
  }
}
