/** One bridge with eight terminals, each a process of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mainTerminal } from '../../src/contract/terminal-name.ts';
import type { ShopBooks } from '../crash/shop.ts';
import { readLedger } from '../support/ledger.ts';
import { ended, runTillbridge, type Program } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';
import { eightTerminals, type OneOfEight } from './terminals.ts';

const memoryProbe = pathToFileURL(join(import.meta.dirname, 'memory-probe.ts')).href;

/** A terminal with the till at it, whose every request names it. */
export interface Counter extends ShopBooks {
  terminal: OneOfEight;
  till: Till;
}

export interface Shop {
  counters: readonly Counter[];
  bridge: Program;
  /** Of the bridge, such as "http://127.0.0.1:8080". */
  address: string;
  /** What the bridge holds, once its memory is watched. */
  memory(): MemorySample[];
  /** As of a counter, for all terminals. */
  command: ShopBooks['command'];
  close(): Promise<void>;
}

/** In bytes, each after what had been left behind was collected. */
export interface MemorySample {
  /** Since the bridge was started. */
  atMs: number;
  inUse: number;
  resident: number;
}

/** `pace`: 1: a usual payment takes about a second. */
export async function openShop(pace: number, options: { watchesMemory?: boolean } = {}): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-several-'));
  const dataDir = join(folder, 'data');
  const ledgerFile = ({ name }: OneOfEight) => join(folder, `${name}.jsonl`);
  const programs: Program[] = [];
  const run = (args: string[], environment: Record<string, string> = {}) => {
    const program = runTillbridge(args, environment);
    programs.push(program);
    return program;
  };
  const close = async () => {
    await Promise.all(programs.toReversed().map((program) => program.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const addresses = await Promise.all(
      eightTerminals.map(async (terminal) => {
        const { name, protocol, transport, currency, flags } = terminal;
        const listening = transport === 'serial' ? ['--serial'] : [`--${transport}`, '0'];
        const kept = ['--ledger', ledgerFile(terminal), '--data-dir', join(folder, name)];
        const simulator = run(
          ['simulator', '--protocol', protocol, '--currency', currency, '--pace', String(pace)].concat(
            listening,
            kept,
            flags,
          ),
        );
        const [, address = ''] = await simulator.printed(/listening on (\S+)/);
        return address.replace('http://', 'http:');
      }),
    );
    const configFile = join(folder, 'config.json');
    writeFileSync(configFile, JSON.stringify(configurationOf(addresses)), { mode: 0o600 });
    const memoryFile = join(folder, 'memory.jsonl');
    const watched = { MEMORY_FILE: memoryFile, NODE_OPTIONS: `--import ${memoryProbe}` };
    const bridge = run(
      ['bridge', '--config', configFile, '--port', '0', '--data-dir', dataDir],
      options.watchesMemory === true ? watched : {},
    );
    const [, address = ''] = await bridge.printed(/Listening on (http:\S+)/);
    const command = (...args: string[]) => ended(runTillbridge([...args, '--data-dir', dataDir]));
    const counters = eightTerminals.map((terminal) => ({
      terminal,
      till: createTill(address, fetch, { 'x-terminal': terminal.name }),
      ledger: () => readLedger(ledgerFile(terminal)),
      lastWords: () => bridge.output().slice(-2_000),
      command: (...args: string[]) => command(...args, '--for', terminal.name),
    }));
    return {
      counters,
      bridge,
      address,
      memory: () =>
        (existsSync(memoryFile) ? readFileSync(memoryFile, 'utf8') : '')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as MemorySample),
      command,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As a person would write it into a file. */
function configurationOf(addresses: readonly string[]): Record<string, unknown> {
  const all = eightTerminals.map(({ name, protocol, currency, settings }, index) => ({
    name,
    content: { terminal: addresses[index], protocol, currency, ...settings },
  }));
  const others = all.filter(({ name }) => name !== mainTerminal);
  return {
    ...all.find(({ name }) => name === mainTerminal)?.content,
    terminals: Object.fromEntries(others.map(({ name, content }) => [name, content])),
  };
}
