import { expect, it } from 'vitest';
import { createRemoteClient, RemoteError } from '../../../src/remote/library/client.ts';
import { createExecutor } from '../../../src/remote/sandbox/executor.ts';
import { openDatabase } from '../../../src/remote/sandbox/store/database.ts';
import { catalogue } from '../../../src/remote/library/client.ts';
import { runTillbridge, type Program } from '../../support/programs.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { atEnd, temporaryFolder } from './rig.ts';

async function start(dataDir: string) {
  const program: Program = runTillbridge(['sandbox', '--port', '0', '--seed', '--data-dir', dataDir]);
  atEnd(async () => void (await program.end('SIGKILL')));
  const [, baseUrl = ''] = await program.printed(/listening on (\S+)/);
  await program.printed(/Client secret: demo-secret/);
  const client = createRemoteClient({
    baseUrl,
    auth: { clientId: 'demo', clientSecret: 'demo-secret' },
    retry: { maxAttempts: 1 },
  });
  return { program, client };
}

/** Confirms one transfer after the other until the sandbox is gone; tells each answer. */
async function moveMoney(
  client: Awaited<ReturnType<typeof start>>['client'],
  accounts: string[],
  answered: (transferId: string) => void,
): Promise<void> {
  const [source_account_id = '', destination_account_id = ''] = accounts;
  try {
    for (;;) {
      const request = { source_account_id, destination_account_id, currency_code: 'EUR', amount: '0.01' };
      const intent = await client.internalTransferCreationIntents.create(request);
      const { internal_transfer_id } = await client.internalTransferCreationIntents.confirm(intent);
      answered(internal_transfer_id ?? 'failed');
    }
  } catch (error) {
    // The request met no sandbox, or the question before it did.
    const gone = error instanceof RemoteError && ['network', 'undocumented'].includes(error.kind);
    if (!gone) throw error;
  }
}

it('kill -9 amid confirmations loses nothing that was answered, and leaves nothing half done', async () => {
  const dataDir = temporaryFolder();
  const answered: string[] = [];
  for (const wanted of [15, 40, 60]) {
    const { program, client } = await start(dataDir);
    const accounts = (await client.accounts.page({ currency_code: 'EUR' })).records.map(({ id }) => id);
    const told = (transferId: string) => {
      answered.push(transferId);
      if (answered.length === wanted) program.process.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: 4 }, () => moveMoney(client, accounts, told)));
    expect(await program.exited).toBeNull();
  }

  const { program, client } = await start(dataDir);
  const kept = new Set<string>();
  for await (const { id } of client.internalTransfers.list({ count: 100 })) kept.add(id);
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  expect(await program.end()).toBe(0);

  const database = openDatabase(dataDir);
  const clock = createVirtualClock();
  const { context } = createExecutor({
    catalogue,
    database,
    clock,
    chance: seededChance(clock),
    onChange: () => {},
  });
  for (const sum of context.ledger.recount().byCurrency.values()) expect(sum).toBe(0n);
  // Each transfer that is there has its intent, completed, and the other way round.
  const completed = context.records.all('internal-transfer-creation-intent', { life_cycle: 'completed' });
  expect(new Set(completed.map((intent) => intent['internal_transfer_id']))).toEqual(kept);
  database.close();
});

it('a second sandbox on the same folder is refused in words', async () => {
  const dataDir = temporaryFolder();
  const { program } = await start(dataDir);
  const second = runTillbridge(['sandbox', '--port', '0', '--data-dir', dataDir]);
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain('another sandbox uses it');
  expect(await program.end('SIGINT')).toBe(0);
});
