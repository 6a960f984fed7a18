/** `tillbridge office`: the head office of a chain of shops. */
import { Command, Option } from 'commander';
import { currencySchema, formatAmount } from '../../contract/money.ts';
import type { AlarmList, AlarmTestResult } from '../../contract/office-alarms.ts';
import { roles, type Role } from '../../contract/office-page.ts';
import { exitUsage, oneLine } from '../cli-context.ts';
import { clientSecretVariable } from '../office-sign-in.ts';
import type { AskFlags, OfficeFlags } from '../run-office.ts';
import { addDepositCommands } from './office-deposits.ts';
import { addOfficeOperations } from './office-operations.ts';
import { listenOnPort, type AddCommand } from './shared.ts';

export const addOfficeCommand: AddCommand = (program, context, runAction) => {
  const folder = `The office’s data folder (default: "head-office" in ${context.defaultDataDir}).`;
  const office = program
    .command('office')
    .summary('Run the head office of a chain of shops.')
    .description(
      'Takes the journals of many bridges, checks them, and finds payments, doubts and discrepancies over all shops. It ' +
        'moves no money. A bridge joins with "--office URL --office-code CODE".\n\n' +
        'Without --database it keeps everything in its data folder (PGlite). With one, any number of offices can run side ' +
        'by side on the same PostgreSQL, 15 or later. docs/office.md tells more.',
    )
    .option('--database <URL>', 'A PostgreSQL database, such as postgres://office@db.example/office.')
    .addOption(new Option('--port <NUMBER>', listenOnPort).argParser(Number).default(8070))
    .option(
      '--host <ADDRESS>',
      'The address to listen on, if not loopback only. Put a proxy with TLS in front.',
    )
    .option(
      '--public-url <URL>',
      'Where people reach the office behind a proxy, such as https://office.example.',
    )
    .option(
      '--alarms <FILE>',
      'What is watched and who is told (default: "alarms.json" in the data folder, if there is one).',
    )
    .option(
      '--deposit-rules <FILE>',
      'How the money of the shops comes (default: "reconcile-rules.json" in the data folder, if there is one).',
    )
    .option('--oidc-issuer <URL>', 'An OpenID provider by which people sign in.')
    .option('--oidc-client-id <ID>', 'The office’s own id at that provider.')
    .option(
      '--oidc-client-secret-file <FILE>',
      `A file with the client secret; ${clientSecretVariable} may have it instead.`,
    )
    .option('--oidc-role-claim <NAME>', 'The claim that names a person’s roles.', 'roles')
    .option(
      '--oidc-roles <LIST>',
      `Which of its values is which role (${roles.join(', ')}): "chain-support=support,it=administrator".`,
    )
    .option('--data-dir <DIR>', folder)
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office\n  $ tillbridge office code "Berlin, Kastanienallee"\n' +
        '  $ tillbridge bridge --terminal simulator --office http://127.0.0.1:8070 --office-code ABCD-EFGH-JKLM-NPQR',
    )
    .action((flags: OfficeFlags) =>
      runAction(async () => {
        // Only here: no other command needs a database.
        const { runOffice } = await import('../run-office.ts');
        return await runOffice(flags, context);
      }),
    );

  const asks = (command: Command) =>
    command
      .option('--url <URL>', 'Where the office is (default: http://127.0.0.1:8070).')
      .option('--data-dir <DIR>', folder)
      .option('--json', 'Print one JSON object instead.');
  const placeOf = (flags: AskFlags): AskFlags => {
    // `--data-dir` is an option of `office` itself as well, and commander gives it to that one.
    const dataDir = flags.dataDir ?? office.opts<OfficeFlags>().dataDir;
    return { ...flags, ...(dataDir === undefined ? {} : { dataDir }) };
  };
  type Question = { method: 'GET' | 'POST'; path: string; body?: unknown };
  const ask = (
    question: Question,
    flags: AskFlags,
    show: (answer: never) => string[],
    isSuccess?: (answer: never) => boolean,
  ) =>
    runAction(async () => {
      const { askOffice } = await import('../run-office.ts');
      return await askOffice(question, placeOf(flags), context, show, isSuccess);
    });

  asks(office.command('code'))
    .description('Makes a code with which one bridge can join a shop, once and within a day.')
    .argument('<SHOP>', 'The name of the shop; it is made if there is none of that name.')
    .addHelpText('after', '\nExample:\n  $ tillbridge office code "Berlin, Kastanienallee"')
    .action((shop: string, flags: AskFlags) =>
      ask({ method: 'POST', path: '/codes', body: { shop } }, flags, ({ code }: { code: string }) => [code]),
    );

  asks(office.command('link'))
    .description('Prints a link to the office’s page. It lets one browser in, once, within an hour.')
    .option('--name <NAME>', 'Who opens it; the audit log has this name (default: administrator).')
    .addOption(
      new Option('--role <ROLE>', 'What that person may do: read, also acknowledge, or everything.')
        .choices(roles)
        .default('administrator'),
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge office link --name "Ada Meyer" --role support')
    .action((flags: AskFlags & { name?: string; role: Role }) => {
      const { name, role } = flags;
      const body = { role, ...(name === undefined ? {} : { name }) };
      return ask({ method: 'POST', path: '/links', body }, flags, ({ link }: { link: string }) => {
        context.stdoutExact(link);
        return [];
      });
    });

  asks(office.command('shops'))
    .description('Lists the shops with their bridges, and when each was heard last.')
    .addHelpText('after', '\nExample:\n  $ tillbridge office shops')
    .action((flags: AskFlags) => ask({ method: 'GET', path: '/shops' }, flags, shopLines));

  asks(office.command('revoke'))
    .description('Takes a bridge’s key away: nothing more is taken from it until it is enrolled again.')
    .argument('<BRIDGE>', 'The bridge’s id, as "office shops" shows it.')
    .addHelpText('after', '\nExample:\n  $ tillbridge office revoke 019af2c4-6c2e-7b1a-9a53-2f0c8f0b7d11')
    .action((bridge: string, flags: AskFlags) =>
      ask({ method: 'POST', path: `/bridges/${encodeURIComponent(bridge)}/revoke` }, flags, () => [
        'The key was taken away.',
      ]),
    );

  asks(office.command('open'))
    .description(
      'Lists what waits for a person: operations in doubt, discrepancies, and journals that are not right.',
    )
    .addHelpText('after', '\nExample:\n  $ tillbridge office open')
    .action((flags: AskFlags) => ask({ method: 'GET', path: '/open' }, flags, openLines));

  asks(office.command('alarms'))
    .description('Lists the alarms that stand, who was told of them, and messages that did not arrive.')
    .option('--test <RECEIVER>', 'Send this receiver a test message instead, and tell what came back.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office alarms\n  $ tillbridge office alarms --test support',
    )
    .action((flags: AskFlags & { test?: string }) =>
      flags.test === undefined
        ? ask({ method: 'GET', path: '/alarms' }, flags, alarmLines)
        : ask(
            { method: 'POST', path: '/alarms/test', body: { receiver: flags.test } },
            flags,
            ({ delivered, answer }: AlarmTestResult) => [
              `${delivered ? 'The test message was sent' : 'The test message could not be sent'}. ${answer}`,
            ],
            ({ delivered }: AlarmTestResult) => delivered,
          ),
    );

  addOfficeOperations(office, context, runAction, folder);
  addDepositCommands(office, context, { asks, placeOf, runAction });

  asks(office.command('find'))
    .description('Finds payments of all shops by what stands on a receipt or in the books, newest first.')
    .option('--reference <TEXT>', 'The reference that the till gave.')
    .option(
      '--card <DIGITS>',
      'The last four digits of the card, together with --approval, --shop or --from.',
    )
    .option('--approval <CODE>', 'The approval code, together with --card, --shop or --from.')
    .option('--receipt <NUMBER>', 'The number of the receipt, together with --shop or --from.')
    .option('--shop <ID>', 'Only payments of this shop, by its id.')
    .option('--terminal <ID>', 'Only payments of the terminal with this id.')
    .option('--amount <MINOR>', 'Only payments of this amount, in minor units: 1250 for 12.50.')
    .option(
      '--status <STATUS>',
      'Only payments with this status, such as unknown, together with --shop or --from.',
    )
    .option('--from <MOMENT>', 'Only payments from this moment on, such as 2026-11-17T00:00:00Z.')
    .option('--to <MOMENT>', 'Only payments before this moment.')
    .option('--simulator', 'Payments of simulated terminals instead of real ones.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ tillbridge office find --reference A-1001\n  $ tillbridge office find --card 0005 --approval 123456',
    )
    .action((flags: AskFlags & FindFlags) => {
      const { amount } = flags;
      if (amount !== undefined && !/^\d+$/.test(amount)) {
        context.error(oneLine(`--amount is in minor units: ${inMinorUnits(amount)}.`));
        return runAction(() => exitUsage);
      }
      const query = new URLSearchParams(queryOf(flags));
      return ask({ method: 'GET', path: `/payments?${query.toString()}` }, flags, (page: PaymentsPage) =>
        paymentLines(page, flags.simulator === true),
      );
    });
};

/** What it would have to be; nobody knows here which of the shops' currencies is meant. */
function inMinorUnits(amount: string): string {
  return /^\d+[.,]\d\d$/.test(amount)
    ? `${Number(amount.replace(/[.,]/, ''))} for ${amount}`
    : '1250 for 12.50';
}

interface Shop {
  shop_id: string;
  name: string;
  bridges: {
    bridge_id: string;
    computer: string;
    version: string;
    heard_at: string | null;
    revoked_at: string | null;
  }[];
}

function shopLines({ shops }: { shops: Shop[] }): string[] {
  if (shops.length === 0)
    return ['No shop has joined yet: "tillbridge office code NAME" makes a code for one.'];
  return shops.flatMap(({ name, shop_id, bridges }) => [
    `${name}  (${shop_id})`,
    ...bridges.map(({ bridge_id, computer, version, heard_at, revoked_at }) => {
      const state =
        revoked_at === null ? `heard ${heard_at ?? 'never'}` : `its key was taken away on ${revoked_at}`;
      return `  ${bridge_id}  ${computer}, version ${version}, ${state}`;
    }),
  ]);
}

interface Place {
  shop: string;
  terminal: string;
}
interface Open {
  doubts: (Place & { kind: string; reference: string | null; doubt_since: string; reason: string })[];
  discrepancies: (Place & { found_at: string; message: string })[];
  findings: (Place & { found_at: string; message: string })[];
}

function openLines({ doubts, discrepancies, findings }: Open): string[] {
  const lines = [
    ...doubts.map(
      (doubt) =>
        `${doubt.doubt_since}  ${placeOf(doubt)}  in doubt: ${doubt.reference ?? doubt.kind}. ${doubt.reason}`,
    ),
    ...discrepancies.map((found) => `${found.found_at}  ${placeOf(found)}  discrepancy: ${found.message}`),
    ...findings.map((found) => `${found.found_at}  ${placeOf(found)}  journal: ${found.message}`),
  ];
  return lines.length === 0 ? ['Nothing waits for a person.'] : lines.toSorted();
}

function placeOf({ shop, terminal }: Place): string {
  return `${shop} (${terminal})`;
}

function alarmLines({ alarms, receivers, undelivered }: AlarmList): string[] {
  return [
    ...alarms.map(({ since, shop, terminal, rule, message, told }) => {
      const place = terminal === null ? shop : placeOf({ shop, terminal });
      const whom = told.map(
        ({ receiver, delivery }) => `${receiver}${delivery === 'sent' ? '' : ` (${deliveries[delivery]})`}`,
      );
      return `${since}  ${place}  ${rule}: ${message}  ${whom.length === 0 ? 'nobody was told' : `told: ${whom.join(', ')}`}`;
    }),
    ...(alarms.length === 0 ? ['No alarm stands.'] : []),
    ...undelivered.map(
      ({ made_at, receiver, subject, state, attempts, answer }) =>
        `${made_at}  message to ${receiver}, "${subject}": ${deliveries[state]} after ${attempts} attempts. ${answer ?? ''}`,
    ),
    receivers.length === 0
      ? 'Nobody is told of alarms: "tillbridge office --alarms FILE" names receivers.'
      : `Receivers: ${receivers.map(({ name, kind }) => `${name} (${kind})`).join(', ')}`,
  ];
}

const deliveries = { sent: 'sent', waiting: 'not sent yet', given_up: 'given up' } as const;

interface FindFlags {
  reference?: string;
  card?: string;
  approval?: string;
  receipt?: string;
  shop?: string;
  terminal?: string;
  amount?: string;
  status?: string;
  from?: string;
  to?: string;
  simulator?: true;
}

function queryOf({
  card,
  approval,
  receipt,
  shop,
  terminal,
  amount,
  simulator,
  ...same
}: FindFlags): Record<string, string> {
  const { reference, status, from, to } = same;
  const given = {
    reference,
    status,
    from,
    to,
    cardDigits: card,
    approvalCode: approval,
    receiptNumber: receipt,
    shopId: shop,
    terminalId: terminal,
    amountMinor: amount,
    simulated: simulator === true ? 'true' : undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

interface Payment extends Place {
  payment_id: string;
  reference: string;
  created_at: string;
  status: string;
  amount_minor: number;
  taken_minor: number | null;
  currency: string;
  not_in_journal: boolean;
}

interface PaymentsPage {
  payments: Payment[];
  next: string | null;
  archived: string[];
}

function paymentLines({ payments, next, archived }: PaymentsPage, isSimulated: boolean): string[] {
  const days = archived.length > 5 ? `${archived.length} days up to ${archived[0]}` : archived.join(', ');
  const notThere = `The payments of ${days} are not in the database any more: "tillbridge office archive --restore" reads them again.`;
  if (payments.length === 0) {
    const none = isSimulated ? 'No simulated payment was found.' : noRealPayment;
    return [none, ...(archived.length > 0 ? [notThere] : [])];
  }
  return [
    ...payments.map((payment) => {
      const { created_at, reference, status, payment_id, not_in_journal } = payment;
      const lost = not_in_journal ? '  (the shop’s journal may have lost it)' : '';
      return `${created_at}  ${placeOf(payment)}  ${reference}  ${amountText(payment)}  ${status}  ${payment_id}${lost}`;
    }),
    ...(next === null ? [] : ['There are more: ask for fewer days.']),
    ...(archived.length > 0 ? [notThere] : []),
  ];
}

const noRealPayment =
  'No payment was found. Those of simulated terminals are looked for with --simulator only.';

function amountText({ taken_minor, amount_minor, currency }: Payment): string {
  const minor = taken_minor ?? amount_minor;
  const known = currencySchema.safeParse(currency);
  return known.success
    ? `${formatAmount(minor, known.data)} ${currency}`
    : `${minor} minor units of ${currency}`;
}
