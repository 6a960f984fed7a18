/**
 * Tests that need more than Node and the packages are skipped where it is missing, loudly:
 *
 *     describe.skipIf(!needs('chromium'))('…')
 *
 * What does not come with the packages is asked for by describe-with.ts, so that a few lines say all that is skipped.
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
}

/** Comes with the packages on the systems that CI runs on, so that it is a fault when it is missing there. */
const packaged = {
  chromium: {
    isThere: hasChromium,
    get: 'install Chrome, Edge or Chromium, or name one with TILLBRIDGE_CHROMIUM',
  },
  'pseudo-terminals': {
    isThere: canOpenPseudoTerminals,
    get: 'they are there on Linux and macOS, with the package @lydell/node-pty',
  },
} as const satisfies Record<string, Need>;

/** What a computer may not have. */
const tools = {
  'bash and curl': {
    isThere: () => runs('bash', '-c', 'curl --version'),
    get: 'apt-get install bash curl',
  },
  'bash, curl and jq': {
    isThere: () => runs('bash', '-c', `curl --version && echo '{"a": 1}' | jq -r .a`),
    get: 'apt-get install bash curl jq',
  },
  git: {
    isThere: () => runs('git', '--version'),
    get: 'apt-get install git',
  },
  PostgreSQL: {
    isThere: () => postgresPrograms() !== null,
    get: 'apt-get install postgresql',
  },
  python3: {
    isThere: () => runs('python3', '-c', 'import json, time, urllib.request'),
    get: 'apt-get install python3',
  },
  'a C# compiler and Mono': {
    isThere: compilesCSharp,
    get: 'apt-get install mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
  },
} as const satisfies Record<string, Need>;
export type Tool = keyof typeof tools;
const toolNames = Object.keys(tools) as Tool[];

/** Compiler and libraries of the C# example. */
export const csharpCompiler = 'mcs';
export const csharpLibraries = ['-r:System.Net.Http.dll', '-r:System.Runtime.Serialization.dll'];

/** Whether it is there. If not: says how to get it, or throws where `CI` is set. */
export function needs(thing: keyof typeof packaged): boolean {
  const { isThere, get } = packaged[thing];
  if (isThere()) return true;
  const words = missing('tests here', thing, get);
  const ci = process.env['CI'];
  if (ci !== undefined && ci !== '' && ci !== 'false') throw new Error(words);
  console.warn(`SKIPPED: ${words}`);
  return false;
}

export function hasTool(tool: Tool): boolean {
  return tools[tool].isThere();
}

/** Says that `what` is skipped for want of `tool`, and how to get it. */
export function sayMissing(tool: Tool, what: string): void {
  console.warn(`SKIPPED: ${missing(what, tool, tools[tool].get)}`);
}

/** The words at the end of each skipped test's title, by which `mayBeSkipped` knows what it waits for. */
export function neededBy(what: string, thing: string): string {
  return `${what} ${/\b1 test$/.test(what) ? 'needs' : 'need'} ${thing}`;
}

/** Whether what a skipped test needs, by its title, is a tool that is missing here, indeed. */
export function mayBeSkipped(title: string): boolean {
  const tool = toolNames.find((name) => title.endsWith(` need ${name}`) || title.endsWith(` needs ${name}`));
  return tool !== undefined && !hasTool(tool);
}

function missing(what: string, thing: string, get: string): string {
  return `${neededBy(what, thing)}: missing here. To get it: ${get}`;
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
