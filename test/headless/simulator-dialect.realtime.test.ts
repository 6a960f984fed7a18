/** `tillbridge simulator --dialect`: a ZVT terminal as makers build them, for whoever connects to it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createTcpLine } from '../../src/bridge/lines/index.ts';
import { runTillbridge } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createZvtEcr } from '../support/zvt-ecr.ts';
import { controlFields, lastRecord, pay, register } from '../simulator/simulator-kit.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder('simulator-dialect');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('tillbridge simulator --dialect', () => {
  it.each([
    ['strict', ['040f', '060f']],
    ['no-records', ['060f']],
  ])('%s shows its last payment as that terminal does', async (dialect, shown) => {
    const ledger = join(folder, 'ledger.jsonl');
    const where = ['--tcp', '0', '--pace', '0', '--ledger', ledger];
    const simulator = runTillbridge(['simulator', '--dialect', dialect, ...where]);
    try {
      const [, port] = await simulator.printed(/listening on tcp:127\.0\.0\.1:(\d+)/);
      const line = createTcpLine({ host: '127.0.0.1', port: Number(port), clock });
      const till = createZvtEcr(await line.open(new AbortController().signal), 'tcp');
      await till.run(register('18', '00'));
      expect((await till.run(pay(1200))).at(-1)?.ctrl).toBe('060f');
      const answer = controlFields(await till.run(lastRecord));
      expect(answer.filter((ctrl) => ctrl === '040f' || ctrl === '060f')).toEqual(shown);
      await till.close();
    } finally {
      await simulator.end('SIGKILL');
    }
  });
});
