import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startSandbox } from './rig.ts';

it('a file comes back byte for byte, up to 10 MiB', async () => {
  const rig = await startSandbox();
  const upload = (bytes: Buffer) =>
    rig.client.files.create({
      name: 'scan.bin',
      content_type: 'application/octet-stream',
      content: bytes.toString('base64'),
    });
  const bytes = Buffer.alloc(10 * 1024 * 1024, 'Tillbridge');
  const file = await upload(bytes);
  expect(file).toMatchObject({
    size: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    purpose: 'other',
  });
  const { content } = await rig.client.files.content(file.id);
  expect(Buffer.from(content, 'base64').equals(bytes)).toBe(true);
  const larger = Buffer.alloc(bytes.byteLength + 3).toString('base64');
  const refused = await rig.request('/files', {
    method: 'POST',
    body: { name: 'scan.bin', content_type: 'application/octet-stream', content: larger },
  });
  expect(refused.body).toMatchObject({ code: 'invalid_request', issues: [{ path: 'content' }] });
  const huge = await rig.request('/files', {
    method: 'POST',
    body: { content: 'A'.repeat(15 * 1024 * 1024) },
  });
  expect(huge.body).toMatchObject({ code: 'body_too_large' });
});
