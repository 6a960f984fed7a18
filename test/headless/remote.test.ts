import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedServer, type Script, type ScriptedServer } from '../remote/client/scripted-server.ts';
import { run } from './test-context.ts';

const holder = { know_your_customer: { type: 'cms', detail: { cms_id: '4711' } } };
let server: ScriptedServer | null = null;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-remote-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  rmSync(folder, { recursive: true, force: true });
});

async function remote(script: Script, ...commandLine: string[]) {
  server = await startScriptedServer(script);
  const result = await run(['remote', ...commandLine, '--base-url', server.baseUrl], {
    environment: { TILLBRIDGE_REMOTE_TOKEN: 'the-token' },
    currentFolder: folder,
  });
  return { ...result, heard: server.heard };
}

describe('tillbridge remote', () => {
  it('lists the resources, and the operations of one', async () => {
    const { exitCode, output } = await run(['remote']);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^ {2}account-holder-creation-intents +Asks for an account holder\.$/m);
    const ofOne = await run(['remote', 'account-holder-creation-intents']);
    expect(ofOne.output).toContain('create    POST /account-holder-creation-intents\n');
    expect(ofOne.output).toMatch(/^confirm .*\(not documented\)$/m);
    const earlier = await run(['remote', '--api-version', 'v20250225']);
    expect(earlier.output).toContain('clearing-entries');
  });

  it('carries out one operation and prints the answer', async () => {
    const answer = { id: 'i1' };
    const { exitCode, output, heard } = await remote(
      () => ({ body: answer }),
      'account-holder-creation-intents',
      'create',
      '--json',
      JSON.stringify(holder),
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toEqual(answer);
    expect(heard).toMatchObject([
      { method: 'POST', json: holder, headers: { authorization: 'Bearer the-token' } },
    ]);
  });

  it('takes an id, an etag, and a body from a file', async () => {
    writeFileSync(path.join(folder, 'body.json'), '{"share_token":"hush"}');
    const { exitCode, heard, output, errors } = await remote(
      () => ({ status: 409, body: { code: 'state_conflict', message: 'no, not hush', request_id: 'r-7' } }),
      'verification-creation-intent',
      'set-share-token',
      'v1',
      '--json',
      '@body.json',
      '--etag',
      '"7"',
    );
    expect(exitCode).toBe(1);
    expect(heard).toMatchObject([
      { path: '/v1/verification-creation-intents/v1/share-token', headers: { 'if-match': '"7"' } },
    ]);
    expect(errors).toContain('(status 409, code state_conflict, request r-7)');
    expect(output + errors).not.toContain('hush');
  });

  it.each([
    ['on the command line, which is told', '{"share_token":"hush"}', true],
    ['in a file', '@body.json', false],
  ])('takes a secret %s', async (_where, json, told) => {
    writeFileSync(path.join(folder, 'body.json'), '{"share_token":"hush"}');
    const call = ['verification-creation-intent', 'set-share-token', 'v1', '--etag', '"7"', '--json', json];
    const { heard, output, errors } = await remote(() => ({ status: 200, body: {} }), ...call);
    expect(heard).toMatchObject([{ json: { share_token: 'hush' } }]);
    expect(errors.includes('--json @FILE')).toBe(told);
    expect(output + errors).not.toContain('hush');
  });

  it('lists a page, or everything line by line', async () => {
    const script: Script = (request) => ({
      body: request.path.includes('token=b')
        ? []
        : [
            { id: 'a', token: 'a' },
            { id: 'b', token: 'b' },
          ],
    });
    const list = [
      'transactions',
      'list',
      '--api-version',
      'v20250212',
      '--query',
      'pending=true',
      '--query',
      'count=2',
    ];
    const page = await remote(script, ...list);
    expect(page.heard.map((request) => request.path)).toEqual(['/v1/transactions?pending=true&count=2']);
    expect(JSON.parse(page.output)).toHaveLength(2);
    await server?.close();
    const all = await remote(script, ...list, '--all');
    expect(all.output.split('\n').map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['a', 'b']);
  });

  it('takes client credentials from the environment', async () => {
    server = await startScriptedServer((request) => ({
      body: request.path.endsWith('/token') ? { access_token: 't', token_type: 'Bearer' } : [],
    }));
    const { exitCode } = await run(['remote', 'virtual-accounts', 'list', '--api-version', 'v20250212'], {
      environment: {
        TILLBRIDGE_REMOTE_URL: server.baseUrl,
        TILLBRIDGE_REMOTE_CLIENT_ID: 'c',
        TILLBRIDGE_REMOTE_CLIENT_SECRET: 's',
        TILLBRIDGE_REMOTE_TOKEN_URL: `${server.baseUrl}/token`,
      },
    });
    expect(exitCode).toBe(0);
    expect(server.heard.map((request) => request.path)).toEqual(['/v1/token', '/v1/virtual-accounts']);
  });

  it('refuses a guess against what is no sandbox', async () => {
    const guess = ['accounts', 'retrieve', 'a1'];
    const refused = await remote(() => ({ body: {} }), ...guess);
    expect([refused.exitCode, refused.heard.length]).toEqual([1, 1]);
    expect(refused.errors).toContain('not documented');
    await server?.close();
    const sent = await remote(() => ({ body: {} }), ...guess, '--allow-undocumented');
    expect([sent.exitCode, sent.heard[0]?.path]).toEqual([0, '/v1/accounts/a1']);
  });

  it.each([
    ['an unknown resource', ['acounts', 'list'], 'There is no resource "acounts" in v20260326'],
    ['an unknown operation', ['accounts', 'create'], 'they have: retrieve, list'],
    ['an unknown version', ['accounts', '--api-version', 'v1'], '--api-version: must be one of v20260326'],
    ['no id', ['accounts', 'retrieve'], 'its id is missing'],
    ['an id too many', ['accounts', 'list', 'a1'], 'takes no id'],
    ['no body', ['account-holder-creation-intents', 'create'], 'give it with --json'],
    ['a body too many', ['accounts', 'list', '--json', '{}'], 'takes no body'],
    ['no JSON', ['account-holder-creation-intents', 'create', '--json', '{"a'], 'this is not JSON'],
    [
      'no such file',
      ['account-holder-creation-intents', 'create', '--json', '@gone'],
      'gone cannot be read (ENOENT)',
    ],
    ['a wrong body', ['account-holder-creation-intents', 'create', '--json', '{}'], 'know_your_customer'],
    [
      'a wrong query',
      ['accounts', 'list', '--query', 'colour=blue'],
      'does not take colour; it takes token, count',
    ],
    ['half a query', ['accounts', 'list', '--query', 'count'], 'not NAME=VALUE'],
    ['a count that is none', ['accounts', 'list', '--query', 'count=many'], 'count: '],
    ['all of one', ['accounts', 'retrieve', 'a', '--all'], 'only for a list'],
    ['no such variable', ['accounts', 'list', '--token-env', 'NO_SUCH'], 'NO_SUCH is not set'],
    ['a wrong time', ['accounts', 'list', '--timeout-ms', '0'], '--timeout-ms'],
  ])('says what is wrong: %s', async (_name, commandLine, words) => {
    const { exitCode, errors, heard } = await remote(() => ({}), ...commandLine);
    expect(errors).toContain(words);
    expect(exitCode).toBe(2);
    expect(heard).toEqual([]);
  });

  it('needs a token, and a base address that ends with /v1', async () => {
    const none = await run(['remote', 'accounts', 'list']);
    expect([none.exitCode, none.errors]).toEqual([2, expect.stringContaining('There is no access token')]);
    const environment = { TILLBRIDGE_REMOTE_TOKEN: 't' };
    const wrong = await run(['remote', 'accounts', 'list', '--base-url', 'https://x.example'], {
      environment,
    });
    expect([wrong.exitCode, wrong.errors]).toEqual([2, expect.stringContaining('ends with /v1')]);
  });
});
