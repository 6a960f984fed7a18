/**
 * Whether the service is a sandbox. Two things must hold: the base address is this computer's own, and what answers
 * there says so with the header x-tillbridge-sandbox. Loopback alone would not do: a tunnel to a real service ends on
 * loopback too. The question carries neither token nor body.
 */
import { sandboxHeader, sandboxProbePath } from '../catalogue/index.ts';
import type { BaseUrl } from './base-url.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';

export type SandboxCheck = 'sandbox' | 'not-loopback' | 'not-a-sandbox' | 'no-answer';

/**
 * Asked anew each time: what listens on a port of this computer may be another one a moment later. Who asks while a
 * question is under way shares its answer.
 */
export function createSandboxGuard(
  base: BaseUrl,
  send: (request: ExchangeRequest) => Promise<Exchange>,
): () => Promise<SandboxCheck> {
  let underway: Promise<SandboxCheck> | null = null;

  async function ask(): Promise<SandboxCheck> {
    const result = await send({
      url: `${base.text}${sandboxProbePath}`,
      method: 'GET',
      headers: { accept: 'application/json' },
      body: null,
    });
    if (result.kind === 'failed') return 'no-answer';
    return result.headers.get(sandboxHeader) === 'true' ? 'sandbox' : 'not-a-sandbox';
  }

  return async () => {
    if (!base.loopback) return 'not-loopback';
    underway ??= ask().finally(() => {
      underway = null;
    });
    return await underway;
  };
}
