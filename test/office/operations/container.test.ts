/** What can be said of the office's image and its Compose file without a container engine. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../headless/test-context.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const composeFile = path.join(root, 'build/office/compose.yaml');
const containerfile = readFileSync(path.join(root, 'Containerfile.office'), 'utf8');

interface Service {
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, unknown>;
  environment: Record<string, string>;
  command?: string[];
  ports?: string[];
  volumes: string[];
}
const compose = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};

function listOf(instruction: string): string[] {
  const [, list = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(containerfile) ?? [];
  return JSON.parse(list) as string[];
}

/** Made by "npm run build" and "npm ci", and in no clone. */
const made = new Set(['dist', 'node_modules']);

test('the image is made of files that exist, as the bridge’s own is', () => {
  const copied = [...containerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' ').map((file) => file.replace('/src/', '')),
  );
  expect(copied).toEqual(['package.json', 'LICENSE', 'bin', 'dist', 'node_modules']);
  for (const file of copied) expect(made.has(file) || existsSync(path.join(root, file))).toBe(true);
  expect(existsSync(path.join(root, listOf('ENTRYPOINT')[1] ?? ''))).toBe(true);
  const bridge = readFileSync(path.join(root, 'Containerfile'), 'utf8');
  const bases = (text: string) => [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases(containerfile)).toEqual(bases(bridge));
  expect(containerfile).toContain('USER tillbridge');
});

test('the commands and flags of both are those of the command line', async () => {
  const { output: help } = await run(['office', '--help']);
  const { services } = compose;
  const given = [...listOf('ENTRYPOINT'), ...Object.values(services).flatMap(({ command }) => command ?? [])];
  expect(listOf('ENTRYPOINT').slice(0, 3)).toEqual(['node', 'bin/tillbridge.mjs', 'office']);
  const flags = given.filter((word) => word.startsWith('--'));
  expect(new Set(flags)).toEqual(new Set(['--data-dir', '--host', '--database', '--public-url']));
  for (const flag of flags) expect(help).toContain(`${flag} <`);
  expect(containerfile).toContain("fetch('http://127.0.0.1:8070/health')");
});

test('two offices share one database, and nobody but this computer reaches them', () => {
  const { services, volumes } = compose;
  expect(Object.keys(services)).toEqual(['office-1', 'office-2', 'postgres']);
  for (const [name, { build, depends_on, command, ports, volumes: mounts, environment }] of Object.entries(
    services,
  )) {
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    expect(JSON.stringify(environment)).toContain('${OFFICE_DATABASE_PASSWORD:?');
    if (name === 'postgres') {
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
