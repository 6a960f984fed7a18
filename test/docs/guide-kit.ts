/** The programs of docs/pos-guide.md, taken from the page as they stand there, and what it takes to run them. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect } from 'vitest';
import { csharpCompiler, csharpLibraries, hasTool } from '../support/needs.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/pos-guide.md'), 'utf8');

/** As it is installed, it is the same file, built. */
const clientEntry = path.join(import.meta.dirname, '../../src/pos/index.ts');

export type Language = 'client' | 'shell' | 'browser' | 'python' | 'csharp';

/** The languages that a computer may not have; each file that asks for them by `languagesHere` has one test of each. */
export const languages = [
  { name: 'the shell', language: 'shell', tools: 'bash, curl and jq' },
  { name: 'Python', language: 'python', tools: 'python3' },
  { name: 'C#', language: 'csharp', tools: 'a C# compiler and Mono' },
] as const;

/** Those that it has; pos-guide.realtime.test.ts says which are missing. */
export function languagesHere(): (typeof languages)[number][] {
  return languages.filter(({ tools }) => hasTool(tools));
}

/** The program, calling the bridge at `address` instead of the usual port. */
function example(language: Language, address: string): string {
  const marked = guide.slice(guide.indexOf(`<!-- example: ${language} -->`));
  const program = /^```\w+\n([^]*?)^```/m.exec(marked)?.[1] ?? '';
  expect(program).toContain('http://localhost:8080');
  return program.replace('http://localhost:8080', address);
}

/** What to run, so that the example of that language runs as a program; its file is put into `folder`. */
export function programOf(
  language: Exclude<Language, 'browser'>,
  address: string,
  folder: string,
  change: (program: string) => string = (program) => program,
): [command: string, file: string] {
  const program = change(example(language, address));
  const file = (name: string, text = program) => {
    const place = path.join(folder, name);
    writeFileSync(place, text);
    return place;
  };
  switch (language) {
    case 'client': {
      const place = path.join(folder, 'till.mjs');
      const client = pathToFileURL(clientEntry).href;
      writeFileSync(place, program.replace("'tillbridge/pos'", JSON.stringify(client)));
      return [process.execPath, place];
    }
    case 'shell':
      return ['bash', file('till.sh')];
    case 'python':
      return ['python3', file('till.py')];
    case 'csharp': {
      const built = path.join(folder, 'Till.exe');
      const end = 'Day().GetAwaiter().GetResult();';
      expect(program).toContain(end);
      // Mono itself goes on for half a minute now and then, after all is done.
      const place = file('Till.cs', program.replace(end, `${end} Environment.Exit(0);`));
      execFileSync(csharpCompiler, [...csharpLibraries, `-out:${built}`, place]);
      return ['mono', built];
    }
  }
}

/** Where the example's day begins, and what takes one payment instead of it. */
const payOnce = {
  shell: [/^reference="SH-[^]*/m, 'pay "SH-$$-$RANDOM" 12.00\n'],
  python: [
    /^reference = f"PY-[^]*/m,
    'import os\npay(f"PY-{os.getpid()}-{time.time_ns() % 10**6}", "12.00")\n',
  ],
  csharp: [
    / {4}static async Task Day\(\)[^]*?\n {4}\}\n/,
    '    static Task Day() { return Pay("CS-" + Environment.TickCount % 1000000, "12.00"); }\n',
  ],
} as const;

/** The same for a program that takes one payment by the example's `pay`, each time under another reference. */
export function payOnceBy(
  language: keyof typeof payOnce,
  address: string,
  folder: string,
): [command: string, file: string] {
  const [day, instead] = payOnce[language];
  return programOf(language, address, folder, (program) => {
    expect(program).toMatch(day);
    return program.replace(day, () => instead);
  });
}

/** The example of the web page in a program of Node, which takes one payment. */
export function payOnceInNode(address: string, folder: string): [command: string, file: string] {
  const place = path.join(folder, 'page.mjs');
  const day = /^async function day\([^]*/m;
  const program = example('browser', address);
  expect(program).toMatch(day);
  const storage = 'const localStorage = { setItem() {}, removeItem() {} };\n';
  const pays = "await pay(`WEB-${process.pid}-${Date.now() % 1e6}`, '12.00');\n";
  writeFileSync(place, storage + program.replace(day, () => pays));
  return [process.execPath, place];
}

/** Mono itself crashes now and then, on its own signal (seen once); what it leaves tells nothing of the example. */
export const unlessMonoCrashes = { retry: { count: 2, condition: /^mono ended with SIG/ } };

/** Every line that a program printed, once it has ended well. Bounded by the test's own time. */
export function run(command: string, file: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [file], { cwd: path.dirname(file), stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let complaints = '';
    child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed.trim().split(/\r?\n/));
      else reject(new Error(`${command} ended with ${code ?? signal}: ${complaints}`));
    });
  });
}

/** A POS in a browser, as far as it is served: an empty page. */
export async function serveSite(): Promise<{ site: Server; origin: string }> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A POS in a browser</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { site, origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` };
}

/** For a page: runs the program with the till's client there, and gives the lines that it printed. */
export async function clientInPage(address: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: clientEntry, formats: ['es'] } },
  });
  const [library] = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  if (library?.type !== 'chunk') throw new Error('the client was not built');
  const imported = "import { createPosClient } from 'tillbridge/pos';";
  const program = example('client', address);
  expect(program).toContain(imported);
  return `(async () => {
    const lines = [];
    const console = { log: (line) => lines.push(line), error: (fault) => lines.push(String(fault)) };
    const { createPosClient } = await import(URL.createObjectURL(
      new Blob([${JSON.stringify(library.code)}], { type: 'text/javascript' })));
    ${program.replace(imported, '')}
    return lines;
  })()`;
}

/** For a page: runs the example there, and gives the lines that it printed. */
export function inPage(address: string): string {
  return `(async () => {
    ${example('browser', address)}
    const lines = [];
    await day((line) => lines.push(line));
    return lines;
  })()`;
}
