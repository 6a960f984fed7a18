/** What can be said of the images and the office's Compose file without a container engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../headless/test-context.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const composeFile = path.join(root, 'build/office/compose.yaml');
const containerfile = readFileSync(path.join(root, 'Containerfile.office'), 'utf8');
const bridgeContainerfile = readFileSync(path.join(root, 'Containerfile'), 'utf8');

interface Service {
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, unknown>;
  healthcheck: { test: string[] };
  environment: Record<string, string>;
  command?: string[];
  ports?: string[];
  volumes: string[];
}
const compose = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

function listOf(instruction: string, text = containerfile): string[] {
  const [, list = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text) ?? [];
  return JSON.parse(list) as string[];
}

/** Made by "npm run build" and "npm ci", and in no clone. */
const made = new Set(['dist', 'node_modules']);

function copiedBy(text: string): string[] {
  return [...text.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' ').map((file) => file.replace('/src/', '')),
  );
}

test('the image is made of files that exist, as the bridge’s own is', () => {
  const copied = copiedBy(containerfile);
  const health = 'build/container/health.mjs';
  expect(copied).toEqual(['package.json', 'LICENSE', health, 'bin', 'dist', 'node_modules']);
  expect(copiedBy(bridgeContainerfile)).toEqual(copied);
  for (const file of copied) expect(made.has(file) || existsSync(path.join(root, file))).toBe(true);
  expect(existsSync(path.join(root, listOf('ENTRYPOINT')[1] ?? ''))).toBe(true);
  const bases = (text: string) => [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases(containerfile)).toEqual(bases(bridgeContainerfile));
  expect(containerfile).toContain('USER tillbridge');
});

test('the bridge has in its image what the systemd unit sets', () => {
  const unit = readFileSync(path.join(root, 'build/linux/tillbridge.service'), 'utf8');
  const set = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, variable]) => variable);
  expect(set).not.toEqual([]);
  const [, inImage = ''] = /^ENV (.*)$/m.exec(bridgeContainerfile) ?? [];
  expect(inImage.split(' ')).toEqual(expect.arrayContaining(set));
});

test('no password of the Compose file goes into an image', () => {
  const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toContain('build/office/.env');
});

test('the health check asks where the bridge or the office listens', async () => {
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health' ? status : 404).end();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const check = 'HEALTHCHECK --interval=30s --timeout=5s CMD';
  const [program, ...bridge] = listOf(check, bridgeContainerfile);
  const office = listOf(check);
  expect([program, ...bridge]).toEqual(['node', 'health.mjs']);
  expect(office).toEqual(['node', 'health.mjs', '8070']);
  for (const name of ['office-1', 'office-2'])
    expect(compose.services[name]?.healthcheck.test).toEqual(['CMD', ...office]);

  const bare = { ...process.env, TILLBRIDGE_HOST: '', TILLBRIDGE_PORT: '' };
  const ends = async (env: Record<string, string>, ...args: string[]) => {
    const script = path.join(root, 'build/container/health.mjs');
    const [code] = (await once(
      spawn(process.execPath, [script, ...args], { env: { ...bare, ...env } }),
      'exit',
    )) as [number];
    return code;
  };
  expect(await ends({ TILLBRIDGE_PORT: port })).toBe(0);
  expect(await ends({ TILLBRIDGE_PORT: port, TILLBRIDGE_HOST: '0.0.0.0' })).toBe(0);
  expect(await ends({ TILLBRIDGE_PORT: port, TILLBRIDGE_HOST: 'localhost' })).toBe(0);
  expect(await ends({}, port)).toBe(0);
  expect(await ends({ TILLBRIDGE_PORT: port, TILLBRIDGE_HOST: '127.0.0.2' })).toBe(1);
  status = 503;
  expect(await ends({ TILLBRIDGE_PORT: port })).toBe(1);
});

test('the commands and flags of both are those of the command line', async () => {
  const { output: help } = await run(['office', '--help']);
  const { services } = compose;
  const given = [...listOf('ENTRYPOINT'), ...Object.values(services).flatMap(({ command }) => command ?? [])];
  expect(listOf('ENTRYPOINT').slice(0, 3)).toEqual(['node', 'bin/tillbridge.mjs', 'office']);
  const flags = given.filter((word) => word.startsWith('--'));
  expect(new Set(flags)).toEqual(new Set(['--data-dir', '--host', '--database', '--public-url']));
  for (const flag of flags) expect(help).toContain(`${flag} <`);
});

test('two offices share one database, and nobody but this computer reaches them', () => {
  const { services, volumes } = compose;
  expect(Object.keys(services)).toEqual(['office-1', 'office-2', 'postgres']);
  for (const [
    name,
    { build, depends_on, command, ports, volumes: mounts, environment, healthcheck },
  ] of Object.entries(services)) {
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    expect(JSON.stringify(environment)).toContain('${OFFICE_DATABASE_PASSWORD:?');
    if (name === 'postgres') {
      // At its first start it answers on its socket before it is there for others.
      expect(healthcheck.test).toContain('--host=127.0.0.1');
      expect(ports).toBeUndefined();
      continue;
    }
    const context = path.resolve(path.dirname(composeFile), build?.context ?? '');
    expect(existsSync(path.join(context, build?.dockerfile ?? ''))).toBe(true);
    expect(Object.keys(depends_on ?? {})).toEqual(['postgres']);
    expect(command).toContain('postgres://office@postgres/office');
    expect(ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  }
  expect(services['office-1']?.ports).not.toEqual(services['office-2']?.ports);
  expect(services['office-1']?.volumes).not.toEqual(services['office-2']?.volumes);
});
