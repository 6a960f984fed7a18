/**
 * Everything that settings are read from: a file, what the console has stored, the environment, and the list of tokens.
 * The first byte of an input says which, the rest is its content.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listTokens } from '../../../src/bridge/listener/tokens.ts';
import {
  dataDirOf,
  loadConfiguration,
  type ConfigurationSources,
} from '../../../src/host/settings/load-configuration.ts';
import { settings } from '../../../src/contract/configuration.ts';
import { readingOf, readSettingsFile } from '../../../src/host/settings/settings-store.ts';
import type { Random } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

/** Stands for what a file holds and nobody may see; no name of a setting can have these letters. */
const secret = 'canary#7f3a9';
const maxMessageLength = 2_000;

const whole = {
  terminal: 'tcp:10.0.0.5:20007',
  port: 8_080,
  allowedOrigins: ['https://pos.example'],
  makeReferences: false,
  pace: 0.5,
  zvt: { password: '123456', timers: { ackTimeoutMs: 5_000 } },
};
const entrances = ['file', 'settings', 'environment', 'tokens'] as const;
const token = { name: 'till-1', sha256: 'ab'.repeat(32), createdAt: '2026-01-01T00:00:00.000Z' };

export const configuration: FuzzTarget = {
  name: 'configuration',
  rule: 'settings are right, or what is wrong is told in sentences that quote no value of a file',
  seeds: () => [
    ...['file', 'settings'].flatMap((entrance) => [
      seed(entrance, JSON.stringify(whole)),
      seed(entrance, JSON.stringify({ terminal: secret, port: secret, zvt: { password: secret } })),
      seed(entrance, JSON.stringify({ terminal: 'simulator', allowedOrigins: [secret], serial: secret })),
      seed(entrance, `{"terminal": "simulator", "port": ${secret}}`),
      seed(entrance, `"${secret}"`),
      seed(entrance, `{"__proto__": {"port": 1}, "constructor": 1, "zvt": {"__proto__": "${secret}"}}`),
      seed(entrance, '['.repeat(5_000)),
      seed(entrance, ''),
    ]),
    seed(
      'settings',
      JSON.stringify({ ...whole, app: { theme: secret }, sealed: { 'zvt.password': secret } }),
    ),
    seed('environment', 'TILLBRIDGE_TERMINAL=simulator\nTILLBRIDGE_PORT=0\nTILLBRIDGE_ALLOW_ORIGIN=a, b'),
    seed('environment', 'TILLBRIDGE_PORT=1e3\nTILLBRIDGE_MAKE_REFERENCES=yes\nTILLBRIDGE_ZVT_PASSWORD=x'),
    seed('tokens', JSON.stringify({ tokens: [token] })),
    seed('tokens', JSON.stringify({ tokens: [{ ...token, name: secret }] })),
  ],
  triesInTests: 300,
  triesInChunk: 4_000,
  make: (random, corpus) => (random.chance(0.5) ? damaged(random, corpus) : oddSettings(random)),
  open() {
    const root = tempFolder('fuzz-configuration');
    const data = path.join(root, 'data');
    return {
      play: (input) => {
        mkdirSync(data, { mode: 0o700, recursive: true });
        const entrance = entrances[(input[0] ?? 0) % entrances.length] ?? 'file';
        const outcome = take(entrance, Buffer.from(input.subarray(1)), data);
        // The settings were set aside.
        if (entrance === 'settings' && !existsSync(path.join(data, 'settings.json')))
          rmSync(data, { recursive: true });
        return `${entrance}: ${outcome}`;
      },
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  },
};

const oddValues = [
  secret,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  true,
  null,
  [],
  [secret],
  {},
  { terminal: secret },
  'simulator',
];

/** Sound JSON with some settings, of which some have values that others could have. */
function oddSettings(random: Random): Uint8Array {
  const entries = Array.from({ length: random.integer(1, 4) }, (): [string, unknown] => {
    const key = settings[random.integer(0, settings.length - 1)]?.key ?? 'port';
    return [key, oddValues[random.integer(0, oddValues.length - 1)]];
  });
  // A group that is no group cannot have members.
  const content = Object.fromEntries(
    entries.map(([key, value]) => [key.split('.')[0] ?? key, groupOf(key, value)]),
  );
  return seed(
    random.pick(['file', 'settings']),
    JSON.stringify({ ...(random.chance(0.5) ? whole : {}), ...content }),
  );
}

/** `zvt.password` 1 is `{ password: 1 }`. */
function groupOf(key: string, value: unknown): unknown {
  return key
    .split('.')
    .slice(1)
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

function seed(entrance: string, text: string): Uint8Array {
  return Buffer.concat([Buffer.from([entrances.findIndex((name) => name === entrance)]), Buffer.from(text)]);
}

function take(entrance: (typeof entrances)[number], content: Buffer, data: string): string {
  switch (entrance) {
    case 'file': {
      const configFile = path.join(data, 'till.json');
      writeFileSync(configFile, content);
      return load({ ...sourcesOf(data), configFile });
    }
    case 'settings': {
      writeFileSync(path.join(data, 'settings.json'), content);
      const { stored, warnings, blocked } = readSettingsFile(data, 0);
      assert.equal(blocked, null);
      demandSentences(warnings, true);
      const outcome = load(sourcesOf(data), [readingOf(stored, data)]);
      return `${warnings.length === 0 ? 'taken' : 'left out'}, ${outcome}`;
    }
    case 'environment':
      return load({ ...sourcesOf(data), environment: environmentOf(content.toString('utf8')) });
    case 'tokens': {
      const file = path.join(data, 'tokens.json');
      writeFileSync(file, content, { mode: 0o600 });
      const listed = listTokens(file);
      if (!listed.ok) demandSentences([listed.message], true);
      return listed.ok ? `${Math.min(listed.tokens.length, 3)} tokens` : 'refused';
    }
  }
}

function sourcesOf(data: string): ConfigurationSources {
  return { flags: {}, configFile: null, environment: {}, currentFolder: data, defaultDataDir: data };
}

function load(
  sources: ConfigurationSources,
  lowPrecedence: Parameters<typeof loadConfiguration>[1] = [],
): string {
  const found = dataDirOf({ ...sources, dataDir: null });
  const loaded = loadConfiguration(sources, lowPrecedence);
  const quotesNothing = sources.configFile !== null || lowPrecedence.length > 0;
  demandSentences(loaded.warnings, quotesNothing);
  if (!found.ok) demandSentences(found.errors, quotesNothing);
  if (loaded.ok) {
    const { terminal, port, dataDir } = loaded.configuration;
    assert.ok(['simulator', 'serial', 'tcp'].includes(terminal.kind));
    assert.ok(Number.isInteger(port) && port >= 0 && port <= 65_535 && path.isAbsolute(dataDir));
    return `a ${terminal.kind}`;
  }
  assert.ok(loaded.noTerminal || loaded.errors.length > 0, 'refused without a word');
  demandSentences(loaded.errors, quotesNothing);
  return loaded.errors.length > 0 ? 'refused' : 'no terminal';
}

function demandSentences(sentences: readonly string[], quotesNothing: boolean): void {
  for (const sentence of sentences) {
    assert.ok(sentence.length > 0 && sentence.length < maxMessageLength, `${sentence.length} characters`);
    if (quotesNothing) assert.ok(!sentence.includes(secret), 'a value of a file is quoted');
  }
}

/** Lines of NAME=VALUE, of which a process can have all but those with a zero in them. */
function environmentOf(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const [name = '', ...value] = line.replaceAll('\0', '').split('=');
    return name === '' ? [] : [[name, value.join('=')]];
  });
  return Object.fromEntries(pairs);
}
