/** A bridge and a simulated terminal as two processes, with a cable between them that can be pulled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShopBooks } from '../crash/shop.ts';
import { readLedger } from '../support/ledger.ts';
import { bridgeOn, ended, runTillbridge, type Program } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';
import { openCable, type MatrixCable } from './cable.ts';
import type { Row } from '../support/protocol-rows.ts';

export interface MatrixShop extends ShopBooks {
  till: Till;
  cable: MatrixCable;
  close(): Promise<void>;
}

/** `pace`: of the simulator; 1: a payment takes about a second. */
export async function openShop({ transport, bridge, simulator }: Row, pace: number): Promise<MatrixShop> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-matrix-'));
  const dataDir = join(folder, 'data');
  const ledgerFile = join(folder, 'ledger.jsonl');
  const cable = await openCable(transport, folder);
  const programs: Program[] = [];
  const run = (args: string[]) => {
    const program = runTillbridge(args);
    programs.push(program);
    return program;
  };
  const close = async () => {
    for (const program of programs.toReversed()) await program.end('SIGKILL');
    await cable.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const kept = ['--ledger', ledgerFile, '--data-dir', join(folder, 'terminal')];
    const terminal = run(['simulator', ...simulator, ...cable.simulatorEnd, ...kept, '--pace', String(pace)]);
    const program = run(bridgeOn(cable.bridgeEnd, dataDir, ...bridge));
    const [, port] = await terminal.printed(/listening on (?:serial|\w+:\S*?:(\d+))/);
    cable.simulatorPort = port === undefined ? null : Number(port);
    const [, address = ''] = await program.printed(/Listening on (http:\S+)/);
    return {
      till: createTill(address),
      cable,
      ledger: () => readLedger(ledgerFile),
      lastWords: () => program.output().slice(-2_000),
      command: (...args) => ended(runTillbridge([...args, '--data-dir', dataDir])),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
