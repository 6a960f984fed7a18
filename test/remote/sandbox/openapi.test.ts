import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiVersions, catalogue } from '../../../src/remote/library/client.ts';
import { startSandbox, temporaryFolder } from './rig.ts';

const redocly = path.resolve(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, { operationId: string; security: { oauth: string[] }[] }>>;
}

describe('the OpenAPI document', () => {
  it.each(apiVersions)('of %s has every operation with its scope, and lints clean', async (version) => {
    const { sandbox } = await startSandbox();
    const response = await fetch(`${sandbox.baseUrl}/openapi.json?version=${version}`);
    const text = await response.text();
    const document = JSON.parse(text) as Document;
    expect(document.info.version).toBe(version);
    for (const operation of catalogue.operations(version)) {
      expect(document.paths[operation.path]?.[operation.method.toLowerCase()]).toMatchObject({
        operationId: operation.id,
        security: [{ oauth: [operation.scope] }],
      });
    }
    const folder = temporaryFolder();
    const file = path.join(folder, 'openapi.json');
    writeFileSync(file, text);
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', file, '--extends=recommended', '--format=json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: object };
    expect(totals, stderr).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
  });

  it('is of the latest version unless the request says otherwise, and of no unknown one', async () => {
    const rig = await startSandbox();
    const versionOf = async (headers: Record<string, string | null>) =>
      ((await rig.request('/openapi.json', { headers })).body['info'] as { version: string }).version;
    expect(await versionOf({ 'x-service-api-version': null, authorization: null })).toBe('v20260326');
    expect(await versionOf({ 'x-service-api-version': 'v20250225' })).toBe('v20250225');
    expect((await rig.request('/openapi.json?version=v1')).body).toMatchObject({
      code: 'api_version_unknown',
    });
  });
});
