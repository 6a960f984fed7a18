/** A till's bridge and its terminal as two processes with a cable between them, each of which can die at any moment. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger, type LedgerLine } from '../support/ledger.ts';
import { bridgeOn, ended, runTillbridge, type Ended, type Program } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';
import type { Row } from '../support/protocol-rows.ts';
import { openCable, type Cable } from './cable.ts';

export type Side = 'bridge' | 'simulator';

export interface Shop {
  readonly folder: string;
  readonly dataDir: string;
  /** The folder that holds nothing but the ledger. */
  readonly ledgerFolder: string;
  readonly cable: Cable;
  ledger(): LedgerLine[];
  alive(side: Side): boolean;
  /** Starts it if it is not running; does not wait until it can be reached. */
  start(side: Side): void;
  /** `kill -9` in this very moment; nothing happens to what is dead already. */
  kill(side: Side): void;
  /** Resolves when what was killed is gone. */
  gone(side: Side): Promise<void>;
  /** The bridge that runs now, as soon as it listens. Rejects when it ends before. */
  till(): Promise<Till>;
  /** What ended without having been killed, with all that it said. */
  ownEnds(): string[];
  /** The end of what the bridge that ran last has said. */
  lastWords(): string;
  /** Runs another command of the command line on the same data folder, and gives what it printed. */
  command(...args: string[]): Promise<Ended>;
  /** Ends everything; `keep` leaves the folder for whoever wants to look. */
  close(keep: boolean): Promise<void>;
}

/** What looking at both sides, and a person's decision, takes of a shop. */
export type ShopBooks = Pick<Shop, 'ledger' | 'command' | 'lastWords'>;

export async function openShop(row: Row, pace: number): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-crash-'));
  const dataDir = join(folder, 'data');
  const ledgerFolder = join(folder, 'terminal');
  mkdirSync(dataDir);
  mkdirSync(ledgerFolder);
  const ledgerFile = join(ledgerFolder, 'ledger.jsonl');
  const cable = await openCable(row);
  const running: Record<Side, Program | null> = { bridge: null, simulator: null };
  const last: Record<Side, Program | null> = { bridge: null, simulator: null };
  const ownEnds: string[] = [];
  const folderArguments = ['--data-dir', dataDir];
  const bridgeArguments = bridgeOn(cable.bridgeEnd, dataDir, ...row.bridge);
  const simulatorArguments = ['simulator', ...row.simulator, ...cable.simulatorEnd].concat(
    ['--ledger', ledgerFile, '--pace', String(pace)],
    folderArguments,
  );

  function run(side: Side): Program {
    const program = runTillbridge(side === 'bridge' ? bridgeArguments : simulatorArguments);
    void program.exited.then((code) => {
      if (running[side] !== program) return;
      running[side] = null;
      ownEnds.push(`the ${side} ended by itself with ${String(code)}: ${program.output()}`);
    });
    return program;
  }

  function start(side: Side): void {
    if (running[side] !== null) return;
    cable.revive(side === 'bridge' ? 'bridge' : 'terminal');
    const program = run(side);
    running[side] = program;
    last[side] = program;
    if (side === 'bridge') return;
    program.printed(/listening on (?:serial|\w+:\S*?:(\d+))/).then(
      ([, port]) => {
        if (running.simulator === program && port !== undefined) cable.simulatorPort = Number(port);
      },
      // Killed before it could be reached; if it ended by itself, that is noted above.
      () => {},
    );
  }

  function kill(side: Side): void {
    const program = running[side];
    if (program === null) return;
    running[side] = null;
    program.process.kill('SIGKILL');
    cable.silence(side === 'bridge' ? 'bridge' : 'terminal');
    if (side === 'simulator') cable.simulatorPort = null;
  }

  return {
    folder,
    dataDir,
    ledgerFolder,
    cable,
    ledger: () => readLedger(ledgerFile),
    alive: (side) => running[side] !== null,
    start,
    kill,
    async gone(side) {
      if (running[side] === null) await last[side]?.exited;
    },
    async till() {
      if (running.bridge === null) throw new Error('there is no bridge');
      const [, address = ''] = await running.bridge.printed(/Listening on (http:\S+)/);
      return createTill(address);
    },
    ownEnds: () => ownEnds,
    lastWords: () => (last.bridge?.output() ?? '').slice(-2_000),
    command: (...args) => ended(runTillbridge([...args, ...folderArguments])),
    async close(keep) {
      for (const side of ['bridge', 'simulator'] as const) {
        kill(side);
        await last[side]?.exited;
      }
      await cable.close();
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}
