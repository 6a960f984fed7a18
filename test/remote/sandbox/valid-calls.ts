/** For any operation of a catalogue, a call that the sandbox must carry out: found from the table and the records. */
import { z } from 'zod';
import { latestVersion, type CallArguments, type Operation } from '../../../src/remote/library/client.ts';
import { sampleOf } from '../../../src/remote/sandbox/samples.ts';
import { resourceOfField, textOf } from '../../../src/remote/sandbox/sandbox-context.ts';
import type { Fields, StoredRecord } from '../../../src/remote/sandbox/store/records.ts';
import { individual } from '../catalogue/examples.ts';
import type { SandboxRig } from './rig.ts';

/** What the form alone does not tell. */
const bodies: Partial<Record<string, (rig: SandboxRig) => Fields>> = {
  'party-creation-intent.create': () => ({ type: 'individual', individual }),
  'verification-creation-intent.create': () => ({ requested_capabilities: ['trade'], origin: 'direct' }),
  'verification-update-intent.create': () => ({ requested_capabilities: ['crypto-transfers'] }),
  'quote-creation-intent.create': () => ({ sell_currency_code: 'EUR', buy_currency_code: 'USD' }),
  'internal-transfer-creation-intent.create': (rig) => {
    const [source, destination] = recordsOf(rig, 'account').filter(
      (account) => account['currency_code'] === 'EUR',
    );
    return { source_account_id: source?.id, destination_account_id: destination?.id };
  },
  'trade-creation-intent.create': (rig) => ({
    quote_id: recordsOf(rig, 'quote').findLast((quote) => quote['status'] === 'open')?.id,
    sell_account_id: recordsOf(rig, 'account').find((account) => account['currency_code'] === 'EUR')?.id,
    buy_account_id: recordsOf(rig, 'account').find((account) => account['currency_code'] === 'USD')?.id,
  }),
  'trade-cancellation-intent.create': (rig) => ({
    trade_id: recordsOf(rig, 'trade').findLast((trade) => trade['status'] === 'pending')?.id,
  }),
  'simulator-incoming-transfer.create': (rig) => ({ account_id: recordsOf(rig, 'account')[0]?.id }),
  'clearing-entry-execution-intent.update-transfers': (rig) => ({
    transfers: [
      { clearing_account_id: recordsOf(rig, 'clearing-account')[1]?.id, discounts: [{ rate: '0.015' }] },
    ],
  }),
};

/** Makes what the call needs, an intent for instance. */
export async function validCall(rig: SandboxRig, operation: Operation): Promise<CallArguments> {
  const record = operation.pathParameters.length === 0 ? null : await recordFor(rig, operation);
  const query = operation.action === 'check' ? { party_id: recordsOf(rig, 'party')[0]?.id } : {};
  return {
    ...(record === null ? {} : { id: record.id }),
    ...(record !== null && operation.needsIfMatch ? { etag: record.etag } : {}),
    ...(operation.query === null ? {} : { query }),
    ...(operation.request === null ? {} : { body: bodyOf(rig, operation, record) }),
  };
}

function recordsOf(rig: SandboxRig, resource: string): StoredRecord[] {
  return rig.sandbox.executor.context.records.all(resource);
}

function bodyOf(rig: SandboxRig, operation: Operation, record: StoredRecord | null): Fields {
  if (operation.action === 'answer-requirement') {
    const [open] = (record?.['requirements'] ?? []) as Fields[];
    return { ...open, answer: { text: 'yes' }, file_ids: [recordsOf(rig, 'file')[0]?.id] };
  }
  const shape = operation.request?.shape ?? {};
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    fieldFor(rig, name, field as z.ZodType),
  ]);
  return { ...Object.fromEntries(fields), ...bodies[operation.id]?.(rig) };
}

function fieldFor(rig: SandboxRig, name: string, schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional) return undefined;
  const resource = name.endsWith('_id')
    ? resourceOfField(rig.sandbox.executor.context.catalogue, name)
    : null;
  const id = resource === null ? undefined : recordsOf(rig, resource)[0]?.id;
  return id ?? sampleOf(schema);
}

async function recordFor(rig: SandboxRig, operation: Operation): Promise<StoredRecord> {
  const { catalogue, records } = rig.sandbox.executor.context;
  const create = catalogue.findOperation(operation.version, operation.resource, 'create');
  if (operation.kind === 'retrieve' && recordsOf(rig, operation.resource)[0] !== undefined) {
    return recordsOf(rig, operation.resource)[0] as StoredRecord;
  }
  if (create === null) throw new Error(`${operation.resource}: there is no record, and no way to make one`);
  const call = await validCall(rig, create);
  if (operation.action === 'set-share-token') (call.body as Fields)['origin'] = 'donor-reuse';
  const created = (await rig.client.call(create, call)) as { id: string };
  if (operation.action === 'confirm') await makeReady(rig, operation, created.id);
  return records.get(operation.resource, created.id) as StoredRecord;
}

/** Answers what must be answered before an intent can be confirmed. */
async function makeReady(rig: SandboxRig, { version, resource }: Operation, id: string): Promise<void> {
  const { catalogue, records } = rig.sandbox.executor.context;
  const answer = catalogue.findOperation(latestVersion, resource, 'answer-requirement');
  for (;;) {
    const intent = records.get(resource, id) as StoredRecord;
    const open = intent['requirements'] as Fields[] | undefined;
    if (answer === null || open?.[0] === undefined) break;
    await rig.client.call(answer, { id, etag: textOf(intent, 'etag'), body: { ...open[0], answer: {} } });
  }
  const transfers = catalogue.findOperation(version, resource, 'update-transfers');
  if (transfers !== null) await rig.client.call(transfers, { id, body: bodyOf(rig, transfers, null) });
}
