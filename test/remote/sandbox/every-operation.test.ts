import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proofOf } from '../../../scripts/remote-docs.ts';
import {
  apiVersions,
  catalogue,
  createCatalogue,
  createRemoteClient,
  assumed,
  formats,
  intent,
  resource,
  tables,
} from '../../../src/remote/library/client.ts';
import { startSandbox, stoppedClock, type SandboxRig } from './rig.ts';
import { validCall } from './valid-calls.ts';

/** What one would write into a file of the tables. */
const directDebits = {
  'direct-debit': resource({
    area: 'treasury',
    meaning: 'Money that somebody lets us fetch.',
    fields: { account_id: assumed(formats.uuid), mandate: assumed(formats.text.nullable()) },
    filters: { mandate: assumed(formats.text) },
  }),
  'direct-debit-creation-intent': intent({
    area: 'treasury',
    meaning: 'Asks to fetch money.',
    yields: 'direct-debit',
    effect: 'create',
    request: { account_id: assumed(formats.uuid), mandate: assumed(formats.optional(formats.text)) },
    steps: { 'set-mandate': { segment: 'mandate', request: { mandate: assumed(formats.text) } } },
  }),
};
const added = createCatalogue({ ...tables, v20260326: { ...tables.v20260326, ...directDebits } });

let rig: SandboxRig;
beforeAll(async () => {
  rig = await startSandbox({ seed: true, keep: true, clock: stoppedClock });
});
afterAll(() => rig.sandbox.close());

const all = apiVersions.flatMap((version) => catalogue.operations(version));

describe('client against sandbox', () => {
  it.each(all.map((operation) => [proofOf(operation).test, operation] as const))(
    '%s',
    async (_name, operation) => {
      const call = await validCall(rig, operation);
      rig.unknowns.length = 0;
      const answer = await rig.client.call(operation, call);
      expect(operation.response.parse(answer)).toEqual(answer);
      expect(rig.unknowns).toEqual([]);
      if (operation.kind === 'list') expect((answer as unknown[]).length).toBeGreaterThan(0);
      if (operation.action === 'confirm')
        expect(answer).toMatchObject({ life_cycle: 'completed', result: 'succeeded' });
      if (operation.kind === 'retrieve' && operation.segment === null)
        expect(answer).toMatchObject({ id: call.id });
    },
  );
});

describe('one entry more in the table', () => {
  it('is served: create, step, confirm, retrieve, list, and it yields its resource', async () => {
    const { sandbox } = await startSandbox({ seed: true, catalogue: added });
    const client = createRemoteClient({ baseUrl: sandbox.baseUrl, auth: sandbox.client, catalogue: added });
    const seeded = (await client.directDebits.page()).records;
    expect(seeded).toHaveLength(1);
    const [account] = (await client.accounts.page()).records;
    const made = await client.directDebitCreationIntents.create({ account_id: account?.id ?? '' });
    const ready = await client.directDebitCreationIntents.setMandate(made, { mandate: 'M-1' });
    const confirmed = await client.directDebitCreationIntents.confirm(ready);
    expect(confirmed).toMatchObject({ life_cycle: 'completed', mandate: 'M-1' });
    const found = (await client.directDebits.page({ mandate: 'M-1' })).records;
    expect(found).toMatchObject([{ id: confirmed.direct_debit_id, account_id: account?.id, mandate: 'M-1' }]);
    const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths)).toContain('/direct-debits/{direct_debit_id}');
  });
});
