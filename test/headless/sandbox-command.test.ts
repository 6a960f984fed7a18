import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../remote/sandbox/rig.ts';
import { run } from './test-world.ts';

it.each(['x', '-1', '65536', '1.5'])('sandbox refuses the port %s', async (port) => {
  const { exitCode, complaints } = await run(['sandbox', `--port=${port}`, '--data-dir', temporaryFolder()]);
  expect(exitCode).toBe(2);
  expect(complaints).toContain('--port');
});

it('sandbox says so when its port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const { exitCode, complaints } = await run([
    'sandbox',
    '--port',
    String(port),
    '--data-dir',
    temporaryFolder(),
  ]);
  expect(exitCode).toBe(1);
  expect(complaints).toContain('EADDRINUSE');
  await new Promise<void>((resolve) => taken.close(() => resolve()));
});
