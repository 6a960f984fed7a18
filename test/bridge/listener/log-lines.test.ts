/** The line that the log gets for each answered command: it names the command and, where that is known, the payment. */
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import { maxRepeatedBody } from '../../../src/bridge/listener/listener-limits.ts';
import { post } from './http.ts';
import { startListener, type Rig } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };

/** The newest line about an answer. */
async function lineAfter({ port, lines }: Rig, path: string, body: object) {
  await post(port, path, body);
  const line = lines.findLast(
    ({ message }) => message === `${path} answered` || message === `${path} refused`,
  );
  if (line === undefined) throw new Error(`no line about ${path}`);
  return line;
}

describe('the line about an answer', () => {
  it('names command, payment, status and duration', async () => {
    const rig = await startListener();
    expect(await lineAfter(rig, '/CreatePayment', sale)).toEqual({
      level: 'info',
      message: '/CreatePayment answered',
      fields: {
        source: 'listener',
        request_id: expect.any(String) as unknown,
        command: 'CreatePayment',
        status: 200,
        reference: 'A-1',
        asked: JSON.stringify(sale),
        answered: expect.stringContaining('"transaction_status":"in_progress"') as unknown,
        duration_ms: expect.any(Number) as unknown,
      },
    });
    const named = { retrieval_reference_number: 'A-1' };
    expect(await lineAfter(rig, '/QueryPayment', named)).toMatchObject({
      level: 'debug',
      fields: { command: 'QueryPayment', reference: 'A-1' },
    });
    expect((await lineAfter(rig, '/VoidPayment', named)).fields).toMatchObject({
      command: 'VoidPayment',
      reference: 'A-1',
    });
    const batch = await lineAfter(rig, '/SubmitBatch', {});
    expect(batch.fields).toMatchObject({ command: 'SubmitBatch', status: 200 });
    expect(batch.fields).not.toHaveProperty('reference');
  });

  it('has what was asked and answered, word for word; of fields that nobody knows, and of no valid request, nothing', async () => {
    const rig = await startListener();
    const odd = await lineAfter(rig, '/CreatePayment', { ...sale, card: '5413330000000019' });
    expect(odd.fields).toMatchObject({ asked: JSON.stringify(sale) });
    const wrong = await lineAfter(rig, '/CreatePayment', { ...sale, amount: '5413330000000019x' });
    expect(wrong.fields).toMatchObject({ answered: expect.stringContaining('"success":false') as unknown });
    expect(wrong.fields).not.toHaveProperty('asked');
    const unknown = await lineAfter(rig, '/QueryPayment', { retrieval_reference_number: 'B-2' });
    expect(unknown.fields).toMatchObject({
      asked: '{"retrieval_reference_number":"B-2"}',
      answered: expect.stringContaining('"code":"payment_not_found"') as unknown,
    });
  });

  it.each(['', ' ', '\r\n', '\u0000', '","', '\u001f\u001f'])(
    'has no card number in what was answered, with %j between its digits',
    async (between) => {
      const rig = await startListener();
      const number = ['5413', '3300', '0000', '0019'].join(between);
      rig.payments.answers.cancelPayment = () => Promise.resolve(refuse('cancel_too_late', number));
      const { answered } = (await lineAfter(rig, '/CancelPayment', {})).fields;
      const { message } = JSON.parse(String(answered)) as { message: string };
      expect(message).toMatch(/^5413[^*]*33[*][*][^]*0019$/);
      expect(message).not.toContain('0000');
    },
  );

  it('cuts what is too long, after it has been masked', async () => {
    const rig = await startListener();
    const long = `${'x'.repeat(maxRepeatedBody - 40)} 5413330000000019 ${'y'.repeat(100)}`;
    rig.payments.answers.cancelPayment = () => Promise.resolve(refuse('cancel_too_late', long));
    const { answered } = (await lineAfter(rig, '/CancelPayment', {})).fields;
    expect(String(answered)).toHaveLength(maxRepeatedBody + 1);
    expect(String(answered)).toMatch(/x 541333\*+…$/);
    expect(String(answered)).not.toContain('5413330');
  });

  it('names the payment that got its reference from the bridge', async () => {
    const rig = await startListener({ makeReferences: true });
    const line = await lineAfter(rig, '/CreatePayment', { amount: '12.00' });
    expect(line.fields).toMatchObject({ reference: '000000000001', status: 200 });
  });

  it('names the payment that was cancelled without a reference', async () => {
    const rig = await startListener();
    await post(rig.port, '/CreatePayment', sale);
    const payment = rig.payments.queryPayment('A-1');
    if (!payment.ok) throw new Error('no payment');
    rig.payments.answers.cancelPayment = () =>
      Promise.resolve({ ok: true, value: { payment: payment.value } });
    expect((await lineAfter(rig, '/CancelPayment', {})).fields).toMatchObject({
      command: 'CancelPayment',
      reference: 'A-1',
      status: 200,
    });
    // Also where the answer does not have it.
    rig.payments.answers.cancelPayment = () => Promise.resolve(refuse('cancel_too_late', 'It was approved.'));
    rig.payments.setStatus({ currentOperation: { operationId: 'x', kind: 'sale', reference: 'A-1' } });
    expect((await lineAfter(rig, '/CancelPayment', {})).fields).toMatchObject({
      reference: 'A-1',
      code: 'cancel_too_late',
    });
    rig.payments.setStatus({ currentOperation: { operationId: 'x', kind: 'void', reference: 'A-1' } });
    expect((await lineAfter(rig, '/CancelPayment', {})).fields).not.toHaveProperty('reference');
    expect(
      (await lineAfter(rig, '/CancelPayment', { retrieval_reference_number: 'B' })).fields,
    ).toMatchObject({
      reference: 'B',
    });
  });

  it('does not name what is no reference', async () => {
    const rig = await startListener();
    const line = await lineAfter(rig, '/QueryPayment', { retrieval_reference_number: 'a b' });
    expect(line.fields).toMatchObject({ command: 'QueryPayment', code: 'invalid_request', status: 400 });
    expect(line.fields).not.toHaveProperty('reference');
  });

  it.each([
    ['/QueryPayment', { retrieval_reference_number: 'A-9' }, 'payment_not_found', 'info'],
    ['/CancelPayment', {}, 'cancel_too_late', 'info'],
    ['/CancelPayment', {}, 'journal_unavailable', 'warn'],
    ['/CancelPayment', {}, 'terminal_error', 'warn'],
    ['/CreatePayment', { amount: 'much' }, 'invalid_request', 'warn'],
  ] as const)('%s %o, refused with %s, is %s: by whether somebody must do something', async (...given) => {
    const [path, body, code, level] = given;
    const rig = await startListener();
    rig.payments.answers.cancelPayment = () => Promise.resolve(refuse(code, 'No.'));
    expect(await lineAfter(rig, path, body)).toMatchObject({ level, fields: { code } });
  });
});
