import { expect, it } from 'vitest';
import { startSandbox } from './rig.ts';

it('an update grants nothing whose requirements were never answered', async () => {
  const { client } = await startSandbox();
  const started = await client.verificationCreationIntents.create({
    customer_party_ref: 'customer-1',
    requested_capabilities: ['crypto-transfers'],
  });
  expect(started.requirements).toHaveLength(3);
  const { verificationUpdateIntents } = client;
  const request = { verification_id: started.verification_id, requested_capabilities: ['hold-account'] };
  let update = await verificationUpdateIntents.create(request);
  for (const requirement of update.requirements) {
    await expect(verificationUpdateIntents.confirm(update)).rejects.toMatchObject({ status: 409 });
    const answer = { ...requirement, answer: { text: 'here' } };
    update = await verificationUpdateIntents.answerRequirement(update, answer);
  }
  await verificationUpdateIntents.confirm(update);
  const grants = await client.capabilityGrants.page({ party_id: started.party_id });
  expect(grants.records.map(({ capability }) => capability)).toEqual(['crypto-transfers', 'hold-account']);
  expect((await client.requirements.page({ status: 'accepted' })).records).toHaveLength(3);
});
