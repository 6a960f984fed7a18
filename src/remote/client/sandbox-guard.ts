/**
 * Whether the service is a sandbox. Two things must hold: the base address is this computer's own, and what answers
 * there says so with the header x-tillbridge-sandbox. Loopback alone would not do: a tunnel to a real service ends on
 * loopback too. The question carries neither token nor body.
 */
import { sandboxHeader, sandboxProbePath } from '../catalogue/index.ts';
import type { BaseUrl } from './base-url.ts';
import type { Exchange, ExchangeRequest } from './exchange.ts';

export type SandboxCheck = 'sandbox' | 'not-loopback' | 'not-a-sandbox' | 'no-answer';

/** A yes is kept; anything else is asked again. */
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
    underway ??= ask();
    const question = underway;
    const found = await question;
    if (found !== 'sandbox' && underway === question) underway = null;
    return found;
  };
}
