/** `npm run dev` as a process: one link, behind it Vite's page and the console's answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildTextFiles, licencesSchema, whatsNewSchema } from '../../src/contract/console/index.ts';
import { invoke, enter } from '../headless/console/console-browser.ts';
import { runProgram, type Program } from '../support/programs.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/run.mjs');

let folder: string;
let program: Program;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-dev-'));
  const { npm_lifecycle_event: _, ...rest } = process.env;
  program = runProgram(process.execPath, [script, 'dev', '--port', '0'], {
    ...rest,
    TILLBRIDGE_DATA_DIR: path.join(folder, 'data'),
    TILLBRIDGE_DIST: path.join(folder, 'dist'),
  });
});
afterEach(async () => {
  await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run dev', () => {
  it('shows the reloading page by one link, lets its own page ask, and ends on SIGTERM', async () => {
    const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]+/);
    const { origin, port } = new URL(link);
    const page = await invoke(Number(port), '/');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('/@vite/client') });
    // What only the build makes, for the dialogs about the program.
    const licences = await invoke(Number(port), `/${buildTextFiles.licences}`);
    expect(licencesSchema.parse(licences.json()).own).toContain('Licen');
    const news = await invoke(Number(port), `/${buildTextFiles.whatsNew}`);
    expect(whatsNewSchema.parse(news.json()).length).toBeGreaterThan(0);
    const state = (headers: Record<string, string>) =>
      invoke(Number(port), '/api/state', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await enter(link, { origin: 'http://127.0.0.1:1' })).status).toBe(403);
    const { value } = (await enter(link, { origin })).json() as { value: { secret: string } };
    const authorization = `Bearer ${value.secret}`;
    expect((await state({ authorization, origin })).json()).toMatchObject({
      ok: true,
      value: { host: 'headless' },
    });
    expect((await state({ authorization, origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await state({ origin })).status).toBe(401);
    expect(program.output().split('link=')).toHaveLength(2);
    expect(await program.end('SIGTERM')).toBe(0);
    // Vite may still have said something of its own after that.
    expect(program.output()).toMatch(/^Stopped\.$/m);
  });
});
