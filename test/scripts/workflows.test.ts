/** The workflows of `.github/`: actionlint has nothing to say of them, and they ask for no more than they need. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { lintWorkflows } from '../../scripts/workflows.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const folder = path.join(repository, '.github/workflows');
const workflows = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));

describe('the workflows', () => {
  it('are found to be without fault, and one with a fault is not', async () => {
    expect(await lintWorkflows(repository)).toEqual([]);
    const root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-workflows-'));
    mkdirSync(path.join(root, '.github/workflows'), { recursive: true });
    writeFileSync(
      path.join(root, '.github/workflows/bad.yml'),
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.os }}\n',
    );
    const findings = await lintWorkflows(root);
    rmSync(root, { recursive: true });
    expect(findings.join('\n')).toMatch(/^\.github\/workflows\/bad\.yml:6:\d+: property "os" is not defined/);
  });

  it('run scripts that there are', () => {
    const run = workflows.flatMap((text) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name));
    expect(run).toContain('check');
    for (const name of run) expect(Object.keys(packageFacts.scripts)).toContain(name);
  });

  it('may only read, leave no token behind, and end by themselves', () => {
    for (const text of workflows) {
      expect(text).toMatch(/^permissions:\n  contents: read\n/m);
      expect(text).not.toMatch(/: write\b|secrets\.|pull_request_target/);
      const times = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
      expect(times(/timeout-minutes:/g)).toBe(times(/runs-on:/g));
      expect(times(/persist-credentials: false/g)).toBe(times(/actions\/checkout@/g));
      // Nobody else's actions.
      expect(times(/uses: actions\//g)).toBe(times(/uses:/g));
    }
  });
});
