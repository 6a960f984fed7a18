/** A served console over a fake service and a small page, gone after each test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { silentLog } from '../../../src/log/index.ts';
import { serveConsole, type ServeConsoleOptions } from '../../../src/headless/console/serve-console.ts';
import { enteredBy } from './console-browser.ts';
import { createFakeService, type FakeService } from './fake-service.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

export interface Serving {
  port: number;
  /** Lets this test in: the header `Authorization`. */
  authorization: string;
  makeLink(): string;
  revoke(): { windows: number; links: number };
  service: FakeService;
  close(): Promise<void>;
}

export function consoleForTests() {
  let folder = '';
  let served: Serving[] = [];
  let seed = 0;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-console-'));
    served = [];
    const page = path.join(folder, 'renderer');
    mkdirSync(path.join(page, 'assets'), { recursive: true });
    writeFileSync(path.join(page, 'index.html'), '<!doctype html><title>page</title>');
    writeFileSync(path.join(page, 'assets', 'index.js'), 'void 0;');
    writeFileSync(path.join(page, 'assets', 'index.css'), 'body{}');
    writeFileSync(path.join(page, 'assets', 'inter.woff2'), 'font');
    writeFileSync(path.join(page, 'icon.svg'), '<svg/>');
    writeFileSync(path.join(page, '.secret'), 'secret');
    writeFileSync(path.join(folder, 'package.json'), '{"secret":true}');
  });
  afterEach(async () => {
    for (const each of served) await each.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return async (
    options: Partial<ServeConsoleOptions> = {},
    service: FakeService = createFakeService(),
  ): Promise<Serving> => {
    const rendererFolder = path.join(folder, 'renderer');
    const clock = createVirtualClock();
    seed += 1;
    const result = await serveConsole({
      service,
      port: 0,
      rendererFolder,
      log: silentLog,
      clock,
      chance: seededChance(clock, seed),
      ...options,
    });
    if (result.kind === 'failed') throw new Error(result.message);
    const serving = { ...result, service, authorization: await enteredBy(result.makeLink()) };
    served.push(serving);
    return serving;
  };
}
