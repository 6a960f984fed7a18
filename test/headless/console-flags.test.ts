/** What the flags of `tillbridge bridge` about the console do. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';
import { runTillbridge } from '../../src/headless/program.ts';
import type { CliContext } from '../../src/headless/cli-context.ts';
import { enter, enteredBy, invoke as ask } from './console/console-browser.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { createTestContext, run, type TestContext } from './test-context.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-console-flags-'));
  dataDir = path.join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function builtPage(): string {
  const page = path.join(folder, 'renderer');
  mkdirSync(page);
  writeFileSync(path.join(page, 'index.html'), '<!doctype html><title>Tillbridge</title>');
  return page;
}

/** Runs the bridge until it has said that it can be stopped, looks, and stops it. */
async function whileItRuns(
  flags: string[],
  changes: Partial<CliContext>,
  look: (context: TestContext) => Promise<void> | void,
) {
  const greeted = Promise.withResolvers<void>();
  const clock = createVirtualClock({ besideIo: true });
  const context = createTestContext({
    clock,
    info(line, secret) {
      context.infos.push(secret === undefined ? line : `${line} ${secret}`);
      if (line.startsWith('Stop it')) greeted.resolve();
    },
    ...changes,
  });
  const exited = runTillbridge(['bridge', '--data-dir', dataDir, '--port', '0', ...flags], context);
  await clock.run(Promise.race([greeted.promise, exited]), 'that the bridge can be stopped', Infinity);
  try {
    await look(context);
  } finally {
    context.signal('SIGTERM');
  }
  return { exitCode: await exited, context };
}

function linkIn(context: TestContext): string {
  const line = context.infos.find((each) => each.startsWith('Console: ')) ?? '';
  return line.slice('Console: '.length);
}

describe('tillbridge console', () => {
  const invoke = (...flags: string[]) => run(['console', '--data-dir', dataDir, ...flags]);

  it('makes links to the bridge that runs, and ends all of them', async () => {
    await whileItRuns(['--terminal', 'simulator'], { rendererFolder: builtPage() }, async (context) => {
      expect((await enter(linkIn(context))).status).toBe(200);
      const [one, two] = [await invoke(), await invoke('--simulator')];
      expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
      expect((await enter(one.output)).status).toBe(200);
      const ended = await invoke('--revoke');
      expect(ended).toMatchObject({ exitCode: 0, errors: '' });
      expect(ended.output).toContain('2 windows and 1 unopened link');
      expect((await enter(two.output)).status).toBe(401);
      expect((await enter((await invoke()).output)).status).toBe(200);
    });
  });

  it('says that no bridge runs, or that it serves no page', async () => {
    expect(await invoke()).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringContaining(dataDir),
    });
    await whileItRuns(['--terminal', 'simulator', '--no-console'], {}, async () => {
      for (const flags of [[], ['--revoke']]) {
        const refused = await invoke(...flags);
        expect(refused).toMatchObject({ exitCode: 1, output: '' });
        expect(refused.errors).toContain('--no-console');
      }
    });
    const stopped = await invoke('--revoke');
    expect(stopped).toMatchObject({ exitCode: 1, output: '' });
    expect(stopped.errors).toContain('No bridge is running');
  });
});

describe('tillbridge bridge', () => {
  it('serves the console and prints its link', async () => {
    const { exitCode } = await whileItRuns(
      ['--terminal', 'simulator'],
      { rendererFolder: builtPage() },
      async (context) => {
        expect((await fetch(linkIn(context))).status).toBe(200);
        expect((await enter(linkIn(context))).status).toBe(200);
        expect(context.errors).toEqual([]);
      },
    );
    expect(exitCode).toBe(0);
  });

  it('goes on without the console when it is not built, not wanted, or its port is taken', async () => {
    const unbuilt = await whileItRuns(['--terminal', 'simulator'], {}, () => {});
    expect(unbuilt.context.errors.join()).toContain('npm run build');
    const unwanted = await whileItRuns(['--terminal', 'simulator', '--no-console'], {}, () => {});
    expect(unwanted.context.errors).toEqual([]);
    for (const { exitCode, context } of [unbuilt, unwanted]) {
      expect(exitCode).toBe(0);
      expect(linkIn(context)).toBe('');
      expect(context.infos.join('\n')).toContain('Listening on http://127.0.0.1:');
    }
  });

  it('says that the console’s port is taken, and goes on', async () => {
    const rendererFolder = builtPage();
    await whileItRuns(['--terminal', 'simulator'], { rendererFolder }, async (first) => {
      const port = new URL(linkIn(first)).port;
      dataDir = path.join(folder, 'other');
      const flags = ['--terminal', 'simulator', '--console-port', port];
      const { exitCode, context } = await whileItRuns(flags, { rendererFolder }, () => {});
      expect(exitCode).toBe(0);
      expect(context.errors.join()).toContain(port);
    });
  });

  it('says after a start from the console, too, that a journal is damaged, and what repairs it', async () => {
    const journal = path.join(dataDir, 'simulator', 'journal.sqlite');
    mkdirSync(path.dirname(journal), { recursive: true });
    writeFileSync(journal, 'no journal any more');
    const { context } = await whileItRuns(['--setup'], { rendererFolder: builtPage() }, async (context) => {
      const link = linkIn(context);
      const authorization = await enteredBy(link);
      const method = async (name: string, input: unknown) => {
        const answer = await ask(Number(new URL(link).port), `/api/${name}`, {
          method: 'POST',
          body: JSON.stringify(input),
          headers: { authorization, 'content-type': 'application/json' },
        });
        return (answer.json() as { value: { settings: { bridge: object } } }).value;
      };
      const { settings } = await method('settings', {});
      await method('saveSettings', { ...settings, bridge: { ...settings.bridge, terminal: 'simulator' } });
    });
    const printed = context.infos.join('\n');
    expect(printed).toContain('THE JOURNAL IS DAMAGED. ');
    expect(printed).toContain(
      `run "tillbridge journal repair --data-dir ${shellWord(dataDir)} --simulator --by NAME`,
    );
  });

  it('waits with --setup for a terminal to be chosen', async () => {
    const { exitCode, context } = await whileItRuns(
      ['--setup'],
      { rendererFolder: builtPage() },
      ({ infos }) => expect(infos.join('\n')).toContain('No terminal has been chosen yet'),
    );
    expect(exitCode).toBe(0);
    expect(linkIn(context)).toMatch(/^http:/);
  });

  it('ends with --setup when nobody could choose one', async () => {
    const { exitCode, errors } = await run(['bridge', '--setup', '--data-dir', dataDir]);
    expect(exitCode).toBe(1);
    expect(errors).toContain('npm run build');
    const refused = await run(['bridge', '--setup', '--no-console', '--data-dir', dataDir]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.errors).toContain('--no-console');
  });

  it('names --setup when there is no terminal, and leaves nothing on disk', async () => {
    const { exitCode, errors } = await run(['bridge', '--data-dir', dataDir]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('--setup');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('takes the terminal of --default-terminal only when nothing else names one', async () => {
    const flags = ['--default-terminal', 'simulator', '--no-console'];
    await whileItRuns(flags, {}, ({ infos }) => expect(infos).toContain('Terminal line: memory:simulator'));
    writeFileSync(path.join(dataDir, 'settings.json'), '{"terminal":"tcp:127.0.0.1:1"}');
    await whileItRuns(flags, {}, ({ infos }) => expect(infos).toContain('Terminal line: tcp:127.0.0.1:1'));
  });

  it.each(['-1', '65536', 'x'])('refuses the console port %s', async (port) => {
    const { exitCode, errors } = await run(['bridge', '--terminal', 'simulator', '--console-port', port]);
    expect(exitCode).toBe(2);
    expect(errors).toContain('--console-port');
  });
});
