/** The tour of docs/office.md, word for word: an office, two shops with simulated terminals, and what is found of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { atEnd, temporaryFolder } from '../../remote/sandbox/rig.ts';
import { builtApp } from '../../support/built-app.ts';
import { sharedChromium } from '../../support/chromium.ts';
import { needs } from '../../support/needs.ts';
import { postgresPrograms, startPostgres } from '../../support/postgres-server.ts';
import { ended, runProgram, type Program } from '../../support/programs.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/office.md'), 'utf8');
const windows = [...page.matchAll(/```sh\n(tillbridge (?:office|bridge --terminal [^\n]*))\n```/g)].map(
  ([, command = '']) => command,
);
const blocks = [...page.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block = '']) => block);

/** Far longer than anything takes, also on a machine that has much else to do. */
const patienceMs = 60_000;

export async function tourOfOffice(engine: 'pglite' | 'postgres'): Promise<void> {
  const folder = temporaryFolder();
  const commandLine = path.join(builtApp(), 'dist/tillbridge.js');
  const programs = path.join(folder, 'bin');
  mkdirSync(programs);
  const call = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${commandLine}" "$@"`;
  writeFileSync(path.join(programs, 'tillbridge'), `#!/bin/sh\n${call}\n`, { mode: 0o755 });
  const environment = {
    ...process.env,
    XDG_DATA_HOME: folder,
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
  };
  /** Ports that are free take the place of the page's. */
  const ports: [string, string][] = [];
  const run = (text: string): Program => {
    const here = ports.reduce((words, [shown, real]) => words.replaceAll(`:${shown}`, `:${real}`), text);
    const asked = here.replaceAll('tillbridge office code', `tillbridge office code --url ${officeUrl()}`);
    return runProgram('bash', ['-euc', `cd "${folder}"\n${asked}`], environment);
  };
  const officeUrl = () => `http://127.0.0.1:${ports[0]?.[1] ?? ''}`;

  const [office = '', ...bridges] = windows;
  expect(bridges).toHaveLength(2);
  let database = '';
  if (engine === 'postgres') {
    const server = await startPostgres(postgresPrograms() ?? '');
    atEnd(() => server.stop());
    database = ` --database '${server.url}'`;
  }
  const started = await start(`${office}${database} --port 0`, '8070');
  for (const bridge of bridges) {
    const [, port = ''] = /--port (\d+)/.exec(bridge) ?? [];
    await start(bridge.replace(`--port ${port}`, '--port 0'), port);
  }
  // A machine may have much else to do.
  const arrived = (reference: string) =>
    `for i in $(seq 100); do tillbridge office find --simulator --reference ${reference} | grep -q approved && break; sleep 0.5; done`;
  const wait = [arrived('BERLIN-1'), arrived('POTSDAM-1')].join('\n');
  const script = blocks.map((block) => `${block.replace('sleep 5', wait)}\necho "----"`).join('\n');
  const asked = script.replaceAll(/tillbridge office (find|shops|open)/g, `$& --url ${officeUrl()}`);
  const { exitCode, stdout } = await ended(run(asked));
  expect(exitCode).toBe(0);
  const [found, rest = ''] = stdout.split('----\n');
  expect(found).toMatch(/Berlin \(main\) +BERLIN-1 +12\.50 EUR +approved/);
  expect(rest).toMatch(/Potsdam \(main\) +POTSDAM-1 +8\.00 EUR +approved/);
  expect(rest).toMatch(/^Berlin .*\n .*version \d+\.\d+\.\d+, heard 20/m);
  expect(rest).toContain('Nothing waits for a person.');

  // "The office also prints a link to its page."
  const [link = ''] = await started.printed(/http:\S+#link=\S+/);
  if (needs('chromium')) await seenOnThePage(link);

  async function start(command: string, shownPort: string): Promise<Program> {
    const program = run(`exec ${command}`);
    atEnd(async () => void (await program.end()));
    const [, port = ''] = await program.printed(/istening on http:\/\/127\.0\.0\.1:(\d+)/);
    ports.push([shownPort, port]);
    return program;
  }
}

/** The page that the link opens has both shops, and finds one of the payments. */
async function seenOnThePage(link: string): Promise<void> {
  const context = await (await sharedChromium()).newContext({ locale: 'en-GB' });
  try {
    const shown = await context.newPage();
    shown.setDefaultTimeout(patienceMs);
    await shown.goto(link);
    for (const shop of ['Berlin', 'Potsdam'])
      await shown.getByRole('link', { name: new RegExp(`^${shop}`) }).waitFor();
    await shown.getByRole('link', { name: 'Search' }).click();
    await shown.getByLabel('Reference').fill('BERLIN-1');
    await shown.getByRole('checkbox').check();
    await shown.keyboard.press('Enter');
    await shown.getByRole('link', { name: 'BERLIN-1' }).click();
    await shown.getByRole('heading', { level: 1, name: 'Payment BERLIN-1' }).waitFor();
    expect(await shown.getByRole('main').innerText()).toContain('€12.50');
  } finally {
    await context.close();
  }
}
