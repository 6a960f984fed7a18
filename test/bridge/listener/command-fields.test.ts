/**
 * A plain request is recognised without its schema. Here the schema alone reads every body, as if there were no other
 * way, and what the command does with it has to be the same: the request that it is taken for, or each word of the
 * refusal, and the fields that it does not know.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plainReader } from '../../../src/bridge/listener/command-fields.ts';
import { commands, type CommandResponse } from '../../../src/bridge/listener/command-table.ts';
import { createTerminalTable } from '../../../src/bridge/listener/terminal-table.ts';
import type { PaymentsApi } from '../../../src/bridge/payments/index.ts';
import { refuse } from '../../../src/contract/errors.ts';
import { missingReference } from '../../../src/contract/http-commands.ts';
import { currencySchema, parseAmount, type Currency } from '../../../src/contract/money.ts';

type Body = Record<string, unknown>;
type Command = (typeof commands)[number];
type Call = Parameters<ReturnType<Command['read']>['run']>[0];

/** What one command makes of a body: what it asked of payments, or what it answered without asking. */
interface Made {
  unknown: readonly string[];
  asked: unknown;
  refused: unknown;
}

const refusal = refuse('terminal_busy', 'Asked.');

async function made(
  command: Command,
  body: Body,
  currency: Currency,
  makeReferences: boolean,
): Promise<Made> {
  let asked: unknown = null;
  const ask =
    (name: string) =>
    (...given: unknown[]) => {
      asked = [name, ...given];
      return refusal;
    };
  const payments = {
    createPayment: ({ caller: _caller, ...order }: Body) => Promise.resolve(ask('createPayment')(order)),
    admission: () => null,
    queryPayment: ask('queryPayment'),
    status: () => ({ currentOperation: null }),
    cancelPayment: (reference: unknown) => Promise.resolve(ask('cancelPayment')(reference)),
    voidPayment: (reference: unknown) => Promise.resolve(ask('voidPayment')(reference)),
    submitBatch: () => Promise.resolve(ask('submitBatch')()),
  };
  const terminals = createTerminalTable({ payments: payments as unknown as PaymentsApi, currency }, []);
  const call = {
    context: { terminals },
    chosen: terminals.main,
    named: false,
    requestContext: {},
    longPolls: { forWork: (work: Promise<unknown>) => work },
    requestedWaitS: null,
  } as unknown as Call;
  const { unknown, run } = command.read(body, { currency, makeReferences });
  const response: CommandResponse = await run(call);
  return { unknown, asked, refused: asked === null && !response.ok ? response.refusal.issues : null };
}

/** The same by the schema alone, with what depends on settings read once more beside it. */
function wanted({ path, schema }: Command, body: Body, currency: Currency, makeReferences: boolean) {
  const unknown = Object.keys(body).filter((name) => !Object.keys(schema.shape).includes(name));
  const parsed = schema.safeParse(body);
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
  const fields = parsed.data as Record<string, string> | undefined;
  const reference = fields?.['retrieval_reference_number'];
  if (path === '/CreatePayment') {
    const form = /^[0-9]{1,10}\.[0-9][0-9]$/;
    const text = body['amount'];
    const amount = typeof text === 'string' && form.test(text) ? parseAmount(text, currency) : null;
    const messages: string[] = [];
    if (amount?.ok === false) {
      wrong.push('amount');
      messages.push(amount.message);
    }
    if (!makeReferences && !('retrieval_reference_number' in body)) {
      wrong.push('retrieval_reference_number');
      messages.push(missingReference);
    }
    const conditionCode = fields?.['condition_code'] ?? '00';
    const order = {
      amountMinor: amount?.ok === true ? amount.amountMinor : null,
      reference: reference ?? null,
      conditionCode,
    };
    return { unknown, wrong, messages, asked: wrong.length > 0 ? null : ['createPayment', order] };
  }
  const asked = {
    '/CancelPayment': ['cancelPayment', reference ?? null],
    '/QueryPayment': ['queryPayment', reference],
    '/VoidPayment': ['voidPayment', reference],
    '/SubmitBatch': ['submitBatch'],
  }[path];
  return { unknown, wrong, messages: [], asked: wrong.length > 0 ? null : asked };
}

const strange = fc.oneof(
  fc.constantFrom(null, true, 12, 12.5, '', ' ', '\n', [], ['12.00'], {}, { toString: '12.00' }, '__proto__'),
  fc.string({ maxLength: 45 }),
);
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[0-9]{1,10}\.[0-9]{2}$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[0-9]{1,7}\.00$/) },
  fc.constantFrom(
    '0.00',
    '0000.00',
    '12.0',
    '12',
    '.12',
    '12.000',
    '12,00',
    '-1.00',
    '+1.00',
    '12.00\n',
    ' 12.00',
  ),
  fc.constantFrom('12345678901.00', '1e3.00', '１２.00', '0x1.00', '9999999999.99'),
  strange,
);
const reference = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/) },
  fc.constantFrom('A'.repeat(41), 'A 1', 'A/1', 'Ä-1', 'A-1\n', '\u0000'),
  strange,
);
const conditionCode = fc.oneof(
  { weight: 5, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{1,8}$/) },
  fc.constantFrom('000000000', '0 ', '0-', '٠٠'),
  strange,
);
const otherName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'Amount',
    'amount ',
    'hasOwnProperty',
    'currency',
    '0',
  ),
  fc.string({ maxLength: 10 }),
);

/** As text, because only there can a field come twice, or be called __proto__. */
const bodyText = fc
  .tuple(
    fc.option(amount, { freq: 8 }).map((value) => (value === null ? [] : [['amount', value] as const])),
    fc
      .option(reference, { freq: 6 })
      .map((value) => (value === null ? [] : [['retrieval_reference_number', value] as const])),
    fc
      .option(conditionCode, { freq: 1 })
      .map((value) => (value === null ? [] : [['condition_code', value] as const])),
    fc.array(fc.tuple(otherName, strange), { maxLength: 2, size: 'xsmall' }),
  )
  .chain(([first, second, third, others]) =>
    fc.shuffledSubarray([...first, ...second, ...third, ...others], {
      minLength: first.length + second.length + third.length,
    }),
  )
  .map(
    (fields) =>
      `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
  );

describe('a body of', () => {
  it.each(commands.map((command) => [command.path, command] as const))(
    '%s is taken as its schema takes it',
    async (_path, command) => {
      let plain = 0;
      let refused = 0;
      const isPlain = plainReader(command.schema);
      await fc.assert(
        fc.asyncProperty(
          bodyText,
          fc.constantFrom(...currencySchema.options),
          fc.boolean(),
          async (text, currency, makeReferences) => {
            const body = JSON.parse(text) as Body;
            if (isPlain(body) !== null) plain += 1;
            const { unknown, asked, refused: issues } = await made(command, body, currency, makeReferences);
            const right = wanted(command, body, currency, makeReferences);
            expect({ unknown, asked }).toEqual({ unknown: right.unknown, asked: right.asked });
            const told = (issues ?? []) as { path: string; message: string }[];
            expect(told.map(({ path }) => path)).toEqual(right.wrong);
            for (const message of right.messages)
              expect(told.map((issue) => issue.message)).toContain(message);
            if (right.asked === null) refused += 1;
          },
        ),
        { numRuns: 400, seed: 7 },
      );
      expect(plain).toBeGreaterThan(0);
      if (command.path !== '/SubmitBatch') expect(refused).toBeGreaterThan(20);
    },
  );
});

describe('a plain request', () => {
  it('is one that the schema takes, with no other field, and each such request is', () => {
    for (const { schema } of commands) {
      const plain = plainReader(schema);
      fc.assert(
        fc.property(bodyText, (text) => {
          const body = JSON.parse(text) as Body;
          const others = Object.keys(body).some((name) => !Object.keys(schema.shape).includes(name));
          const parsed = schema.safeParse(body);
          expect(plain(body)).toEqual(parsed.success && !others ? parsed.data : null);
        }),
        { numRuns: 300, seed: 11 },
      );
    }
  });

  it.each([
    ['a number', z.object({ a: z.number() })],
    ['a bare string', z.object({ a: z.string() })],
    ['a bounded string', z.object({ a: z.string().regex(/^a+$/).max(3) })],
    ['a changed string', z.object({ a: z.string().trim().regex(/^a+$/) })],
    ['a converted string', z.object({ a: z.coerce.string().regex(/^a+$/) })],
    ['a string or null', z.object({ a: z.string().regex(/^a+$/).nullable() })],
    ['a pattern with a memory', z.object({ a: z.string().regex(/a/g) })],
  ])('cannot be recognised where a field is %s', (_what, schema) => {
    expect(() => plainReader(schema)).toThrow(/^The field a is more than a string with a pattern/);
  });
});
