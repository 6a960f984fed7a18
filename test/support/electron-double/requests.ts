/** Every request of a page: navigations pass the app's guards, its own schemes are answered by the app. */
import type { DevToolsSession } from './devtools.ts';
import { answerOf, ownAddress } from './schemes.ts';

interface PausedRequest {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; method: string; headers: Record<string, string> };
}

export interface Guards {
  isMainFrame(frameId: string): boolean;
  /** `address` as Chromium has it. */
  mayNavigate(address: string, isMainFrame: boolean): boolean;
}

export async function answerRequests(page: DevToolsSession, guards: Guards): Promise<void> {
  page.on('Fetch.requestPaused', (paused: PausedRequest) => {
    // The page may be gone before the answer is.
    answer(page, paused, guards).catch(() => {});
  });
  await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}

async function answer(page: DevToolsSession, paused: PausedRequest, guards: Guards): Promise<void> {
  const { requestId, frameId, resourceType, request } = paused;
  const isNavigation = resourceType === 'Document';
  if (isNavigation && !guards.mayNavigate(request.url, guards.isMainFrame(frameId))) {
    await page.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return;
  }
  let response: Response | null;
  try {
    response = await answerOf(ownAddress(request.url), request.method, request.headers);
  } catch (error) {
    process.stderr.write(`electron double: the app's answer to ${request.url} failed: ${String(error)}\n`);
    await page.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return;
  }
  if (response === null) {
    await page.send('Fetch.continueRequest', { requestId });
    return;
  }
  await page.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  });
}
