import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { answerOf, startSandbox, temporaryFolder } from './rig.ts';

const shareToken = 'st_4f1d7c0b9e8a-never-seen-again';

it('the share token is asked for, and is found nowhere afterwards', async () => {
  const dataDir = temporaryFolder();
  const rig = await startSandbox({ dataDir, keep: true });
  const intents = rig.client.verificationCreationIntents;
  const bodies: string[] = [];
  const created = await intents.create({
    customer_party_ref: 'customer-17',
    requested_capabilities: ['hold-account'],
    origin: 'donor-reuse',
  });
  expect(created).toMatchObject({
    life_cycle: 'pending-requirements',
    origin: 'donor-reuse',
    requirements: [],
  });
  await expect(intents.confirm(created)).rejects.toMatchObject({ code: 'state_conflict' });

  const share = (body: unknown, tag = created.etag) =>
    rig.request(`/verification-creation-intents/${created.id}/share-token`, {
      method: 'PATCH',
      headers: { 'if-match': tag },
      body,
    });
  // Also not when it is refused.
  bodies.push((await share({ share_token: shareToken }, '"other"')).text);
  bodies.push((await share({ share_token: [shareToken] })).text);
  bodies.push((await share({ share_token: shareToken, more: shareToken })).text);
  bodies.push((await share(`{"share_token":"${shareToken}"`)).text);
  const set = await share({ share_token: shareToken });
  expect(set.body).toMatchObject({ life_cycle: 'pending-confirmation' });
  bodies.push(set.text, (await share({ share_token: shareToken }, String(set.body['etag']))).text);

  const retrieved = await intents.retrieve(created.id);
  bodies.push(JSON.stringify(retrieved));
  const confirmed = await intents.confirm(retrieved);
  expect(confirmed).toMatchObject({ life_cycle: 'completed', result: 'succeeded' });
  bodies.push(JSON.stringify(confirmed), (await rig.request('/verification-creation-intents')).text);
  bodies.push((await rig.request('/evidences')).text, (await share({ share_token: shareToken }, '*')).text);
  expect(bodies.join('\n')).not.toContain(shareToken);
  expect(rig.lines.join('\n')).not.toContain(shareToken);

  const onDisk = () => readdirSync(dataDir).map((name) => readFileSync(path.join(dataDir, name)));
  const whileOpen = onDisk();
  await rig.sandbox.close();
  for (const bytes of [...whileOpen, ...onDisk()]) expect(bytes.includes(shareToken)).toBe(false);
  // The look itself works: what was meant to be kept is there.
  expect(whileOpen.some((bytes) => bytes.includes('customer-17'))).toBe(true);
});

it('a share token that is no good fails the intent; one that nobody waits for is refused', async () => {
  const { client } = await startSandbox();
  const intents = client.verificationCreationIntents;
  const request = { customer_party_ref: 'c', requested_capabilities: ['hold-account'] };
  const reuse = await intents.create({ ...request, origin: 'donor-reuse' });
  const ready = await intents.setShareToken(reuse, { share_token: 'sandbox:reject' });
  expect(await intents.confirm(ready)).toMatchObject({ fail_reason: 'share-token-rejected' });
  expect(await client.verifications.retrieve(reuse.verification_id)).toMatchObject({ status: 'rejected' });
  const direct = await intents.create(request);
  await expect(intents.setShareToken(direct, { share_token: 'x' })).rejects.toMatchObject({ status: 409 });
});

it('client secrets and access tokens are kept as digests only', async () => {
  const dataDir = temporaryFolder();
  const rig = await startSandbox({ dataDir, keep: true });
  const token = await rig.token();
  const answer = await answerOf(
    await fetch(`${rig.sandbox.baseUrl}/accounts`, {
      headers: { authorization: `Bearer ${token}`, 'x-service-api-version': 'v20260326' },
    }),
  );
  expect(answer.status).toBe(200);
  await rig.sandbox.close();
  for (const name of readdirSync(dataDir)) {
    const bytes = readFileSync(path.join(dataDir, name));
    expect(bytes.includes(token)).toBe(false);
    expect(bytes.includes(rig.sandbox.client.clientSecret)).toBe(false);
  }
  expect(rig.lines.join('\n')).not.toContain(token);
});
