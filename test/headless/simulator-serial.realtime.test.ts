/** `tillbridge simulator --serial` on a pseudo-terminal of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSerialLine } from '../../src/bridge/lines/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readLedger } from '../support/ledger.ts';
import { needs } from '../support/needs.ts';
import { runTillbridge } from '../support/programs.ts';
import { createZvtEcr } from '../support/zvt-ecr.ts';
import { pay, register } from '../simulator/simulator-kit.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-simulator-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!needs('pseudo-terminals'))('tillbridge simulator --serial', () => {
  it('prints the name of its port, and takes payments from whoever opens that, one after the other', async () => {
    const ledger = path.join(folder, 'ledger.jsonl');
    const simulator = runTillbridge(['simulator', '--serial', '--pace', '0', '--ledger', ledger]);
    try {
      const [, port = ''] = await simulator.printed(/listening on serial:(\/dev\/\S+) \(no real payments/);
      for (const _ of ['first', 'second']) {
        const settings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 } as const;
        const line = createSerialLine({ path: port, settings, clock: systemClock });
        const till = createZvtEcr(await line.open(new AbortController().signal), 'serial');
        await till.run(register('18', '00'));
        const messages = await till.run(pay(1200));
        expect(messages.at(-1)?.ctrl).toBe('060f');
        await till.close();
      }
      expect(readLedger(ledger).map(({ event }) => event)).toEqual(['charged', 'charged']);
      expect(await simulator.end('SIGTERM')).toBe(0);
    } finally {
      await simulator.end('SIGKILL');
    }
  });

  it('says plainly what is missing where the package for pseudo-terminals is not installed', async () => {
    const hook = path.join(folder, 'hook.mjs');
    writeFileSync(
      hook,
      `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(name, context, next) {
          if (name.startsWith('@lydell/')) throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
          return next(name, context);
        },
      });`,
    );
    const simulator = runTillbridge(['simulator', '--serial', '--data-dir', folder], {
      NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`,
    });
    expect(await simulator.exited).toBe(1);
    expect(simulator.output()).toContain(
      'The simulator cannot start: the optional package @lydell/node-pty, which makes pseudo-terminals, is not installed',
    );
  });
});
