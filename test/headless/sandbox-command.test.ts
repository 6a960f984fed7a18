import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../remote/sandbox/rig.ts';
import { run } from './test-context.ts';

it.each(['x', '-1', '65536', '1.5'])('sandbox refuses the port %s', async (port) => {
  const { exitCode, errors } = await run(['sandbox', `--port=${port}`, '--data-dir', temporaryFolder()]);
  expect(exitCode).toBe(2);
  expect(errors).toContain('--port');
});

it('sandbox says so when its port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const { exitCode, errors } = await run([
    'sandbox',
    '--port',
    String(port),
    '--data-dir',
    temporaryFolder(),
  ]);
  expect(exitCode).toBe(1);
  expect(errors).toContain('EADDRINUSE');
  await new Promise<void>((resolve) => taken.close(() => resolve()));
});
