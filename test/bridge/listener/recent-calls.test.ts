/** Who has called lately, as the console shows it: bounded, folded, masked, with the reason of a refusal. */
import { describe, expect, it } from 'vitest';
import { post, raw, send } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };

describe('the recent calls', () => {
  it('are none before anybody has called', async () => {
    const { listener } = await startListener();
    expect(listener.recentCalls()).toEqual([]);
  });

  it('have the newest first, with caller and address, and the code of what was refused', async () => {
    const { port, listener, clock } = await startListener();
    const headers = { 'user-agent': 'Kasse/3' };
    await post(port, '/CreatePayment', sale, { headers });
    const answeredMs = clock.now();
    await post(port, '/CreatePayment', { ...sale, amount: '0' }, { headers });
    await post(port, '/VoidPayment', sale, { headers: { ...headers, 'x-api-version': 'v9' } });
    const common = { caller: 'Kasse/3', address: '127.0.0.1', count: 1 };
    expect(listener.recentCalls()).toMatchObject([
      { ...common, path: '/VoidPayment', code: 'api_version_unsupported' },
      { ...common, path: '/CreatePayment', code: 'invalid_request' },
      { ...common, path: '/CreatePayment', code: null, atMs: answeredMs },
    ]);
  });

  it('name the command and the origin of a page that may not call', async () => {
    const { port, listener } = await startListener();
    await post(port, '/CreatePayment', sale, { headers: { origin: 'https://evil.example' } });
    expect(listener.recentCalls()).toMatchObject([
      { path: '/CreatePayment', caller: 'https://evil.example', code: 'origin_not_allowed' },
    ]);
  });

  it('have one entry for the same call of the same caller, however often it comes', async () => {
    const { port, listener } = await startListener();
    for (let call = 0; call < 5; call += 1) await send(port, '/health');
    await post(port, '/CreatePayment', sale);
    for (let call = 0; call < 2; call += 1) await send(port, '/health');
    expect(listener.recentCalls().map(({ path, count }) => [path, count])).toEqual([
      ['/health', 7],
      ['/CreatePayment', 1],
    ]);
  });

  it('are twenty at most, and what callers say is masked, printable and short', async () => {
    const { port, listener } = await startListener();
    for (let number = 0; number < 25; number += 1)
      await send(port, '/health', { headers: { 'user-agent': `agent ${number}` } });
    const agent = `card 4111111111111111 ${'x'.repeat(5_000)}`;
    await send(port, '/health', { headers: { 'user-agent': agent } });
    const calls = listener.recentCalls();
    expect(calls).toHaveLength(20);
    expect(calls[1]?.caller).toBe('agent 24');
    expect(calls[0]?.caller).not.toContain('4111111111111111');
    expect(calls[0]?.caller?.length).toBeLessThanOrEqual(121);
  });

  it('tell that somebody does not speak HTTP', async () => {
    const { port, listener } = await startListener();
    await raw(port, '\u0016\u0003\u0001 TLS, say\r\n\r\n');
    expect(listener.recentCalls()).toMatchObject([
      { path: 'other', caller: null, address: null, code: 'invalid_request', count: 1 },
    ]);
  });
});
