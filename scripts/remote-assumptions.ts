/** What is assumed about the remote interface beside single operations, for the table in docs/remote.md. */
/** A test that shows what a row says: its file from the repository's root, and its name. */
export interface Proof {
  file: string;
  test: string;
}

export interface AssumptionRow {
  what: string;
  assumed: string;
  proof: Proof;
}

const sandbox = 'test/remote/sandbox';
const guards = `${sandbox}/guards.test.ts`;
const intents = `${sandbox}/intents.test.ts`;
const lists = `${sandbox}/lists.test.ts`;
const webhooks = `${sandbox}/webhooks.test.ts`;

export const assumptionRows: AssumptionRow[] = [
  {
    what: 'Fields of resources that the document names without a table',
    assumed: 'as the catalogue has them (`src/remote/catalogue/tables/`), each marked `assumed`',
    proof: {
      file: 'test/remote/catalogue/document.test.ts',
      test: 'all carry one of the two marks',
    },
  },
  {
    what: 'Sending what is assumed',
    assumed: 'the client refuses it against anything but a sandbox, unless told `allowUndocumented`',
    proof: {
      file: 'test/remote/client/sandbox-guard.test.ts',
      test: 'is refused against a real service, and nothing is sent',
    },
  },
  {
    what: 'Where access tokens come from',
    assumed:
      '`POST /v1/oauth/token`, grant type `client_credentials`, id and secret in the form (RFC 6749, 4.4 and 2.3.1); errors as in 5.2; a token of the sandbox holds an hour',
    proof: { file: guards, test: 'is issued for client credentials only, with errors as in RFC 6749' },
  },
  {
    what: 'A token that is missing, unknown or has run out',
    assumed: '401, with `WWW-Authenticate: Bearer`',
    proof: { file: guards, test: 'is needed, must be one of ours, and runs out' },
  },
  {
    what: 'Scopes',
    assumed:
      '`<resource>:<action>`; the action is `create`, `confirm`, `update` (all other steps), `read` or `check`; without it 403, and the message names the scope',
    proof: { file: guards, test: 'needs the scope of the operation, and the answer names it' },
  },
  {
    what: 'The version header missing or unknown',
    assumed: '400; the message names the versions that there are',
    proof: { file: guards, test: 'must be named, and be one that there is' },
  },
  {
    what: 'The same records in earlier versions',
    assumed:
      'one record, in the shape of each version that has it; text where the latest has null is empty, or zero for amounts',
    proof: { file: guards, test: 'an earlier one shows the same records in its own shape' },
  },
  {
    what: 'If-Match',
    assumed:
      'every step of the latest version needs the record’s etag, in its quotes: missing 428, without quotes 400, another one 412; `*` fits any; earlier versions do not need it, and heed it',
    proof: { file: guards, test: 'is needed, must be quoted, and must be of the record as it is' },
  },
  {
    what: 'Confirming again',
    assumed:
      'answers the intent as it is, with the etag before or after the first confirmation; nothing is done twice',
    proof: {
      file: intents,
      test: 'sent again, as after a lost answer, changes nothing and answers the same',
    },
  },
  {
    what: 'Lists',
    assumed:
      'oldest first; `token` is that of the last record seen, `count` from 1 to 100, 20 when left out; an empty page is the end',
    proof: { file: lists, test: 'a list gives 20 records, or as many as asked for, up to 100' },
  },
  {
    what: 'Lists under writes',
    assumed:
      'the order is that in which records were made and never changes, so nothing is skipped or repeated',
    proof: { file: lists, test: 'a cursor neither skips nor repeats while others write' },
  },
  {
    what: 'Query parameters of the deprecated list of transactions',
    assumed:
      'times in ISO 8601, both inclusive; `time_column` is `post_time` (when left out), `value_time`, `create_time` or `update_time`',
    proof: {
      file: lists,
      test: 'the deprecated list of transactions takes every parameter that the document names',
    },
  },
  {
    what: 'The life of an intent',
    assumed:
      '`pending-requirements`, `pending-confirmation`, `pending-approval`, `pending-completion`, then `completed` (result `succeeded`) or `failed` with a reason; a sandbox goes from confirm to the end at once, unless told otherwise',
    proof: { file: intents, test: 'goes from requirements over confirmation to its resource' },
  },
  {
    what: 'An account holder creation intent',
    assumed:
      'is `pending-requirements` with none open, as shown, and can be confirmed so; an account in EUR and one in USD come with the holder',
    proof: { file: intents, test: 'of an account holder begins as the document shows it' },
  },
  {
    what: 'Share token',
    assumed: 'an intent of origin `donor-reuse` waits for it; nothing of it is kept',
    proof: {
      file: `${sandbox}/share-token.test.ts`,
      test: 'the share token is asked for, and is found nowhere afterwards',
    },
  },
  {
    what: 'Money that is not there',
    assumed: 'the intent fails with `insufficient-funds` when it is confirmed; nothing moves',
    proof: { file: intents, test: 'that is not there fails the intent, and nothing moves' },
  },
  {
    what: 'Quotes and trades',
    assumed:
      'fixed prices; what is paid is rounded up, what comes is rounded down; a quote holds a minute and is used once; what is sold leaves at once, what is bought comes after ten seconds; until then the trade can be cancelled',
    proof: {
      file: intents,
      test: 'is exchanged at a quote, which is used once and runs out; a trade can be cancelled until it settles',
    },
  },
  {
    what: 'Clearing',
    assumed:
      'the entry’s amount is divided equally over the transfers, the remainder to the first ones; of each part the discounts are taken one after the other, rounded down to minor units',
    proof: { file: intents, test: 'that waits for clearing is spread with its discounts, to the last cent' },
  },
  {
    what: 'Double entry',
    assumed: 'every movement is postings that sum to zero per currency; a balance is the sum of its postings',
    proof: {
      file: `${sandbox}/postings.test.ts`,
      test: 'sum to zero per currency, and balances are their sums, under 10,000 random operations',
    },
  },
  {
    what: 'Bodies',
    assumed:
      'what the catalogue does not know is refused, with an issue for each field; 256 KiB at most, files 10 MiB',
    proof: { file: guards, test: 'must be one JSON object of the right form, and nothing else' },
  },
  {
    what: 'References and amounts',
    assumed:
      'a field that names a record must name one that there is (422); an amount has no more places than its currency (400)',
    proof: { file: guards, test: 'must name records that there are, and amounts that the currency has' },
  },
  {
    what: 'Webhooks: deliveries',
    assumed:
      '`POST` for each change of a record, signed: `x-tillbridge-signature: v1=` and HMAC-SHA256 in hex over `<x-tillbridge-timestamp>.<body>` with the subscription’s secret',
    proof: { file: webhooks, test: 'each change is delivered, signed over time and body' },
  },
  {
    what: 'Webhooks: repeats',
    assumed:
      'until a 2xx: after 1 s, 2 s, 4 s … up to 8 attempts, then it is given up; the event keeps its `id`',
    proof: {
      file: webhooks,
      test: 'a delivery that fails comes again, after pauses that grow, and is given up in the end',
    },
  },
  {
    what: 'Webhooks: queues',
    assumed:
      'one for each subscription, on disk, of 100,000 deliveries; `GET /webhook-subscriptions/{id}/deliveries` lists them with what became of them, `POST …/replay` sends the last 1,000 that have left it again, `POST …/ping` sends a trial',
    proof: {
      file: webhooks,
      test: 'waits for no other: one whose receiver does not answer costs nobody an event',
    },
  },
  {
    what: 'Webhooks: where to',
    assumed: 'loopback addresses only',
    proof: { file: webhooks, test: '%s is refused: deliveries go to loopback only' },
  },
  {
    what: 'What was answered',
    assumed: 'is on disk, and survives `kill -9`',
    proof: {
      file: `${sandbox}/kill.realtime.test.ts`,
      test: 'kill -9 amid confirmations loses nothing that was answered, and leaves nothing half done',
    },
  },
];
