/** Methods about where the money of the closed batches is: what was found last, and what people decide. */
import path from 'node:path';
import {
  maxMoneyNotes,
  type ConsoleResult,
  type FoundMoney,
  type RequestOf,
  type ResponseOf,
} from '../../contract/console/index.ts';
import { moneyFiles, moneyFolder, type MoneyPlace } from '../money-place.ts';
import {
  createResultsReader,
  decideMoney,
  keepStatement,
  lookForMoney,
  readDecisions,
  readRulesFile,
  readServiceAccess,
  serviceEntries,
  statementsFolder,
  type KeptResults,
} from '../reconcile/index.ts';
import { foundMoney, moneyOfBatch } from '../views/money-view.ts';
import { done, refused, type MethodContext, type MethodHandlers } from './context.ts';

const maxRuleErrors = 20;

export function moneyMethods(
  context: MethodContext,
): MethodHandlers<'money' | 'moneyOfBatch' | 'decideMoney' | 'lookForMoney' | 'keepStatement'> {
  const { clock, log } = context;
  const results = createResultsReader();
  /** Who asks meanwhile gets the same answer, unless a statement was kept since it began. */
  let looking: { kept: number; done: ReturnType<typeof look> } | null = null;
  let kept = 0;
  const isFromBefore = () => looking !== null && looking.kept < kept;
  /** One after the other: each is compared with those before. */
  let keeping: Promise<unknown> = Promise.resolve();

  return {
    money(request) {
      context.moneyWatch.start();
      const place = context.moneyPlace();
      const found = results(place);
      if (!found.ok) return done({ kind: 'unreadable', message: found.message });
      const rules = rulesNow(place, found.value);
      if (found.value === null) return done(nothingFound(place, rules));
      const decisions = readDecisions(moneyFolder(place));
      if (!decisions.ok) return done({ kind: 'unreadable', message: decisions.message });
      return done({ kind: 'found', ...rules, ...foundMoney(found.value, decisions.value, request) });
    },
    moneyOfBatch({ batchId }) {
      context.moneyWatch.start();
      const place = context.moneyPlace();
      const found = results(place);
      if (!found.ok) return refused('internal_error', found.message);
      const decisions = readDecisions(moneyFolder(place));
      if (!decisions.ok) return refused('internal_error', decisions.message);
      const money = found.value === null ? null : moneyOfBatch(found.value, decisions.value, batchId);
      return money === null ? refused('not_found', notLookedFor) : done(money);
    },
    decideMoney(request) {
      const { kind, batchIds, entryIds, by } = request;
      const result = decide(request);
      const fields = { kind, batches: batchIds.join(' '), entries: entryIds.join(' '), by };
      if (result.ok) {
        log.info('decide whose money it is: done', fields);
        context.moneyWatch.check();
      }
      if (!result.ok)
        log.info('decide whose money it is: refused', { ...fields, reason: result.refusal.message });
      return result;
    },
    async lookForMoney() {
      while (isFromBefore()) await looking?.done;
      looking ??= { kept, done: look().finally(() => (looking = null)) };
      return await looking.done;
    },
    async keepStatement({ name, content }) {
      const place = context.moneyPlace();
      const keep = keeping.then(() => keepStatement(place, name, Buffer.from(content, 'base64')));
      keeping = keep.catch(() => {});
      const result = await keep;
      if (!result.ok) {
        log.info('keep a bank statement: refused', { reason: result.message });
        return refused('statement_not_kept', result.message);
      }
      kept += 1;
      log.info('keep a bank statement: done', { file: result.value.name });
      return done(result.value);
    },
  };

  async function look(): Promise<ConsoleResult<ResponseOf<'lookForMoney'>>> {
    const place = context.moneyPlace();
    const access = readServiceAccess({}, context.environment);
    const before = results(place);
    const outcome = await lookForMoney({
      ...place,
      days: daysOf(before.ok ? before.value : null, clock.now()),
      clock,
      service: access.ok
        ? { ok: true, value: serviceEntries(access.value, clock) }
        : { ok: false, message: noAccess(place) },
    });
    if (!outcome.ok) {
      const message = outcome.messages.join(' ');
      log.info('look for the money: refused', { reason: message });
      return refused('money_not_looked_for', message);
    }
    log.info('look for the money: done', { batches: outcome.results.batches.length });
    context.moneyWatch.check();
    return done({ notes: outcome.notes.slice(0, maxMoneyNotes) });
  }

  function decide(request: RequestOf<'decideMoney'>): ConsoleResult<ResponseOf<'decideMoney'>> {
    const place = context.moneyPlace();
    const found = results(place);
    if (!found.ok) return refused('decision_not_kept', found.message);
    const { acquirer, batchIds } = request;
    const parts = found.value?.batches.flatMap((batch) => batch.parts) ?? [];
    const isOwed = (batchId: string) =>
      parts.some((part) => part.batchId === batchId && part.acquirer === acquirer);
    if (!batchIds.every(isOwed)) return refused('invalid_request', notLookedFor);
    const decided = decideMoney({ ...place, clock }, request, found.value);
    if (decided.ok) return done({});
    const code = decided.fault === 'no-entry' ? 'invalid_request' : 'decision_not_kept';
    return refused(code, decided.message);
  }
}

function noAccess(place: MoneyPlace): string {
  const folder = path.join(moneyFolder(place), statementsFolder);
  return (
    `Not every account in the rules has a statement, and there is no access to the remote service. Put the bank’s files ` +
    `(camt.053) into ${folder}, or set TILLBRIDGE_REMOTE_TOKEN, or TILLBRIDGE_REMOTE_CLIENT_ID and ` +
    `TILLBRIDGE_REMOTE_CLIENT_SECRET, where Tillbridge is started.`
  );
}

/** As many as before; further back the command line looks, which holds up no till. */
function daysOf(before: KeptResults | null, nowMs: number): number {
  const oldestMs = Math.min(nowMs, ...(before?.closed ?? []).map(({ closedAt }) => Date.parse(closedAt)));
  return Math.min(Math.max(Math.ceil((nowMs - oldestMs) / dayMs), fewestDays), mostDays);
}

const dayMs = 86_400_000;
const fewestDays = 30;
const mostDays = 92;

const notLookedFor = 'This batch is not among those whose money was looked for last.';

type RulesNow = Pick<FoundMoney, 'rules' | 'ruleErrors'>;

function rulesNow(place: MoneyPlace, found: KeptResults | null): RulesNow {
  const read = readRulesFile(moneyFiles(place).rules);
  if (read.ok) return { rules: read.version === found?.rulesVersion ? 'same' : 'changed', ruleErrors: [] };
  if (read.missing === true) return { rules: 'missing', ruleErrors: [] };
  return { rules: 'wrong', ruleErrors: read.errors.slice(0, maxRuleErrors) };
}

function nothingFound(place: MoneyPlace, { rules, ruleErrors }: RulesNow): ResponseOf<'money'> {
  if (rules === 'missing') return { kind: 'no_rules', file: moneyFiles(place).rules };
  return rules === 'wrong' ? { kind: 'wrong_rules', ruleErrors } : { kind: 'not_looked' };
}
