/** The files of the page, and the headers on everything. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagePolicy } from '../../../src/contract/console/index.ts';
import { invoke } from './console-browser.ts';
import { consoleForTests } from './setup.ts';

const start = consoleForTests();

describe('the console’s page', () => {
  it('comes with the right media types', async () => {
    const { port } = await start();
    const types = {
      '/': 'text/html; charset=utf-8',
      '/index.html': 'text/html; charset=utf-8',
      '/assets/index.js': 'text/javascript; charset=utf-8',
      '/assets/index.css': 'text/css; charset=utf-8',
      '/assets/inter.woff2': 'font/woff2',
      '/icon.svg': 'image/svg+xml',
    };
    for (const [file, type] of Object.entries(types)) {
      const { status, headers } = await invoke(port, file);
      expect([file, status, headers['content-type']]).toEqual([file, 200, type]);
    }
  });

  it('is nothing but the files of its folder', async () => {
    const { port } = await start();
    const paths = [
      '/../package.json',
      '/..%2fpackage.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/package.json',
      '/%2e%2e%2fpackage.json',
      '/..%5cpackage.json',
      '/..\\package.json',
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%252e%252e/%252e%252e/package.json',
      '//package.json',
      '/....//package.json',
      '/assets%00/../../package.json',
      '/%c0%ae%c0%ae/package.json',
      '/.secret',
      '/%2esecret',
      '/assets',
      '/assets/',
      '/package.json',
    ];
    for (const each of paths) {
      const { status, text } = await invoke(port, each);
      expect([each, status]).toEqual([each, expect.toBeOneOf([400, 404])]);
      expect(text).not.toMatch(/secret|index\.js/);
    }
  });

  it('takes no command', async () => {
    const { port } = await start();
    const headers = { 'content-type': 'application/json' };
    expect((await invoke(port, '/index.html', { method: 'POST', headers, body: '{}' })).status).toBe(404);
    expect((await invoke(port, '/index.html', { method: 'DELETE', headers })).status).toBe(404);
  });

  it('says what to do when it is not built', async () => {
    const { port } = await start({
      rendererFolder: path.join(import.meta.dirname, 'no-such-folder'),
    });
    const answer = await invoke(port, '/');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('npm run build');
  });

  it('is kept in by strict headers, whatever is answered', async () => {
    const { port } = await start();
    expect(pagePolicy).toContain("default-src 'none'");
    expect(pagePolicy).not.toMatch(/unsafe|\*|https?:|data:/);
    const answers = [
      await invoke(port, '/'),
      await invoke(port, '/assets/index.js'),
      await invoke(port, '/nothing'),
      await invoke(port, '/', { host: 'evil.example' }),
      await invoke(port, '/api/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403, 401]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': pagePolicy,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});
