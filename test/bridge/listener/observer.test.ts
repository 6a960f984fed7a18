/** Whoever watches the calls hears of each one, and may hang up before it is answered. */
import { describe, expect, it } from 'vitest';
import type { CallObserver, ListenerResponse } from '../../../src/bridge/listener/index.ts';
import { post, send } from './http.ts';
import { startListener } from './set-up.ts';

function watching(answering: CallObserver['answering'] = () => {}) {
  const came: string[] = [];
  const answered: (string | undefined)[] = [];
  const observer: CallObserver = {
    came: ({ req }) => void came.push(`${req.method} ${req.url}`),
    answering(response: ListenerResponse) {
      answered.push(response.locals.requestContext.asked?.());
      answering(response);
    },
  };
  return { observer, came, answered };
}

describe('whoever watches the calls', () => {
  it('hears of those that are answered and those that are refused', async () => {
    const { observer, came, answered } = watching();
    const { port } = await startListener({ observer });
    await post(port, '/QueryPayment', { retrieval_reference_number: 'A-1' });
    await post(port, '/QueryPayment', {}, { without: ['x-api-version'] });
    await post(port, '/QueryPayment', {}, { headers: { host: 'elsewhere.example' } });
    await send(port, '/health');
    expect(came).toEqual(['POST /QueryPayment', 'POST /QueryPayment', 'POST /QueryPayment', 'GET /health']);
    expect(answered).toEqual(['{"retrieval_reference_number":"A-1"}', undefined, undefined, undefined]);
  });

  it('may hang up on the caller: the payment has begun, and its answer gets lost', async () => {
    const { observer } = watching(({ req }) => req.socket.destroy());
    const { port, payments } = await startListener({ observer });
    const body = { retrieval_reference_number: 'A-1', amount: '12.00' };
    await expect(post(port, '/CreatePayment', body)).rejects.toThrow('socket hang up');
    expect(payments.asked).toContain('createPayment');
  });
});
