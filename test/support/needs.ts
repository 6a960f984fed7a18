/**
 * Tests that need more than Node and the packages are skipped where it is missing, loudly:
 *
 *     describe.skipIf(!needs('python3'))('…')
 *
 * What a test needs is tried, not looked for by name: half an installation is none.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { postgresPrograms } from './postgres-server.ts';
import { hasChromium } from './find-chromium.ts';

interface Need {
  isThere: () => boolean;
  get: string;
  /** Comes with the packages on the systems that CI runs on, so that it is a fault when it is missing there. */
  comesWithPackages: boolean;
}

const things = {
  chromium: {
    isThere: hasChromium,
    get: 'install Chrome, Edge or Chromium, or name one with TILLBRIDGE_CHROMIUM',
    comesWithPackages: true,
  },
  'pseudo-terminals': {
    isThere: canOpenPseudoTerminals,
    get: 'they are there on Linux and macOS, with the package @lydell/node-pty',
    comesWithPackages: true,
  },
  'bash and curl': {
    isThere: () => runs('bash', '-c', 'curl --version'),
    get: 'apt-get install bash curl',
    comesWithPackages: false,
  },
  'bash, curl and jq': {
    isThere: () => runs('bash', '-c', `curl --version && echo '{"a": 1}' | jq -r .a`),
    get: 'apt-get install bash curl jq',
    comesWithPackages: false,
  },
  git: {
    isThere: () => runs('git', '--version'),
    get: 'apt-get install git',
    comesWithPackages: false,
  },
  PostgreSQL: {
    isThere: () => postgresPrograms() !== null,
    get: 'apt-get install postgresql',
    comesWithPackages: false,
  },
  python3: {
    isThere: () => runs('python3', '-c', 'import json, time, urllib.request'),
    get: 'apt-get install python3',
    comesWithPackages: false,
  },
  'a C# compiler and Mono': {
    isThere: compilesCSharp,
    get: 'apt-get install mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
    comesWithPackages: false,
  },
} as const satisfies Record<string, Need>;

/** Compiler and libraries of the C# example. */
export const csharpCompiler = 'mcs';
export const csharpLibraries = ['-r:System.Net.Http.dll', '-r:System.Runtime.Serialization.dll'];

/** Whether it is there. If not: says once how to get it, or throws where `CI` is set and the packages bring it. */
export function needs(thing: keyof typeof things): boolean {
  const { isThere, get, comesWithPackages } = things[thing];
  if (isThere()) return true;
  const words = `tests here need ${thing}: missing here. To get it: ${get}`;
  const ci = process.env['CI'];
  if (comesWithPackages && ci !== undefined && ci !== '' && ci !== 'false') throw new Error(words);
  console.warn(`SKIPPED: ${words}`);
  return false;
}

function canOpenPseudoTerminals(): boolean {
  if (process.platform === 'win32') return false;
  try {
    createRequire(import.meta.url)('@lydell/node-pty');
    return true;
  } catch {
    return false;
  }
}

function runs(command: string, ...parameters: string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Parts of Mono are packages of their own, and programs that use a missing one fail to compile or to start. */
function compilesCSharp(): boolean {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-csharp-'));
  try {
    const source = path.join(folder, 'Try.cs');
    const program = path.join(folder, 'Try.exe');
    writeFileSync(
      source,
      'class Try { static void Main() { new System.Net.Http.HttpClient();' +
        ' new System.Runtime.Serialization.Json.DataContractJsonSerializer(typeof(string)); } }',
    );
    return runs(csharpCompiler, ...csharpLibraries, `-out:${program}`, source) && runs('mono', program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
