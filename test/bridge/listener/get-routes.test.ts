import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createPaymentResponseSchema,
  failureResponseSchema,
  queryPaymentResponseSchema,
  submitBatchResponseSchema,
} from '../../../src/contract/http-commands.ts';
import { errorCodes, errorStatus } from '../../../src/contract/errors.ts';
import { createOpenApi, errorTable } from '../../../src/bridge/listener/openapi.ts';
import { healthResponseSchema } from '../../../src/bridge/listener/health.ts';
import { endedFact } from '../../support/memory-payments.ts';
import { post, send } from './http.ts';
import { startListener } from './set-up.ts';

const sale = { amount: '12.00', retrieval_reference_number: 'A-1' };

describe('/health', () => {
  it('is 200 when a card can be taken, and while one is taken', async () => {
    const { port, payments } = await startListener();
    const ready = await send(port, '/health');
    expect(ready.status).toBe(200);
    expect(healthResponseSchema.strict().parse(ready.json)).toEqual({
      success: true,
      message: 'Ready.',
      version: '1.2.3',
      listener: { listening: true, port },
      terminal: {
        connection: 'ready',
        line: 'memory',
        protocol: 'zvt',
        terminal_id: '52500041',
        simulated: false,
      },
      journal: { writable: true },
      in_doubt: 0,
      discrepancies: 0,
    });
    payments.setStatus({ terminalChange: { connection: 'operating' } });
    expect((await send(port, '/health')).status).toBe(200);
  });

  it.each(['stopped', 'connecting', 'preparing', 'recovering', 'attention', 'lost'] as const)(
    'is 503 while the terminal is %s, and tells no reference',
    async (connection) => {
      const { port, payments } = await startListener();
      const terminalChange = { connection, text: 'Recovering payment A-1', progress: 'A-1' };
      payments.setStatus({
        terminalChange,
        currentOperation: { operationId: 'x', kind: 'sale', reference: 'A-1' },
        journal: { writable: true, text: 'A-1' },
      });
      const answer = await send(port, '/health');
      expect(answer.status).toBe(503);
      expect(healthResponseSchema.parse(answer.json)).toMatchObject({
        success: false,
        terminal: { connection },
      });
      expect(answer.text).not.toContain('A-1');
      expect(payments.asked).toEqual([]);
    },
  );

  it('is 503 while something is in doubt or the journal cannot be written', async () => {
    const { port, payments } = await startListener();
    payments.setStatus({ inDoubt: 2 });
    const doubt = await send(port, '/health');
    expect([doubt.status, doubt.json['in_doubt']]).toEqual([503, 2]);
    expect(doubt.json.message).toContain('2 operations are in doubt');
    payments.setStatus({ inDoubt: 0, journal: { writable: false, text: '' } });
    const full = await send(port, '/health');
    expect([full.status, full.json['journal']]).toEqual([503, { writable: false }]);
  });

  it('gives the real reason why the terminal is not ready', async () => {
    const { port, payments } = await startListener();
    const text = 'The terminal answers the registration with 84 9A.';
    payments.setStatus({ terminalChange: { connection: 'recovering', text } });
    const answer = await send(port, '/health');
    expect([answer.status, answer.json.message]).toEqual([503, text]);
    // Something in doubt comes first: it is what a person can do something about.
    payments.setStatus({ inDoubt: 1 });
    expect((await send(port, '/health')).json.message).toContain('One operation is in doubt');
  });
});

describe('/metrics', () => {
  it('counts requests, payments and durations, and shows states', async () => {
    const { port, payments } = await startListener();
    const created = await post(port, '/CreatePayment', sale);
    await post(port, '/CreatePayment', 'nonsense');
    await send(port, `/nowhere/${'x'.repeat(50)}`);
    await send(port, '/other');
    payments.decide('A-1', 'approved');
    payments.append(
      endedFact('01890000-0000-7000-8000-000000000002', 'closed', {
        settled: [created.json['transaction_id'] as string],
        times: { answerMs: 20, cardMs: 2_500 },
      }),
    );
    payments.setStatus({ inDoubt: 3, terminalChange: { connection: 'attention' } });
    const answer = await send(port, '/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = answer.text.split('\n');
    for (const line of [
      'tillbridge_info{version="1.2.3"} 1',
      'tillbridge_http_requests_total{path="/CreatePayment",status="200"} 1',
      'tillbridge_http_requests_total{path="/CreatePayment",status="400"} 1',
      'tillbridge_http_requests_total{path="other",status="404"} 2',
      '# TYPE tillbridge_http_request_duration_seconds histogram',
      'tillbridge_http_request_duration_seconds_bucket{le="+Inf",path="/CreatePayment"} 2',
      'tillbridge_http_request_duration_seconds_count{path="/CreatePayment"} 2',
      'tillbridge_payment_changes_total{terminal="main",status="in_progress"} 1',
      'tillbridge_payment_changes_total{terminal="main",status="approved"} 1',
      'tillbridge_payment_changes_total{terminal="main",status="settled"} 1',
      'tillbridge_operations_ended_total{terminal="main",outcome="approved"} 1',
      'tillbridge_operations_ended_total{terminal="main",outcome="closed"} 1',
      'tillbridge_terminal_answer_seconds_sum{terminal="main"} 0.02',
      'tillbridge_terminal_answer_seconds_count{terminal="main"} 1',
      'tillbridge_card_to_result_seconds_bucket{le="2",terminal="main"} 0',
      'tillbridge_card_to_result_seconds_bucket{le="3",terminal="main"} 1',
      'tillbridge_terminal_state{terminal="main",state="attention"} 1',
      'tillbridge_terminal_state{terminal="main",state="ready"} 0',
      'tillbridge_operations_in_doubt{terminal="main"} 3',
      'tillbridge_event_streams 0',
    ]) {
      expect(lines).toContain(line);
    }
    expect(answer.text).toContain('process_resident_memory_bytes ');
    expect(answer.text).not.toContain('nowhere');
    // Asked again, what is counted elsewhere is not added twice.
    const again = (await send(port, '/metrics')).text.split('\n');
    expect(again).toContain('tillbridge_http_requests_total{path="/CreatePayment",status="200"} 1');
  });

  it('has buckets that add up', async () => {
    const { port } = await startListener();
    for (let index = 0; index < 20; index += 1) await post(port, '/QueryPayment', {});
    const { text } = await send(port, '/metrics');
    const values = [...text.matchAll(/_bucket\{le="[^"]+",path="\/QueryPayment"\} (\d+)/g)].map((match) =>
      Number(match[1]),
    );
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values.at(-1)).toBe(20);
  });
});

interface Operation {
  parameters?: { name: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content: Record<string, { schema: Schema }> }
  >;
}
interface Schema {
  $ref?: string;
  required?: string[];
  properties?: Record<string, { enum?: string[] }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const commands = ['/CreatePayment', '/CancelPayment', '/QueryPayment', '/VoidPayment', '/SubmitBatch'];

async function openApi(port: number): Promise<Document> {
  return (await send(port, '/openapi.json')).json as unknown as Document;
}

describe('/openapi.json', () => {
  it('is a 3.1 document with every path, and every reference in it leads somewhere', async () => {
    const { port } = await startListener();
    const answer = await send(port, '/openapi.json');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const document = await openApi(port);
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual([
      ...commands,
      '/health',
      '/events',
      '/openapi.json',
      '/metrics',
    ]);
    const references = [...answer.text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('tells for each command its header, body, answers and error codes by status', async () => {
    const { port } = await startListener();
    const document = await openApi(port);
    for (const path of commands) {
      const operation = document.paths[path]?.['post'];
      expect(operation?.parameters).toContainEqual(
        expect.objectContaining({ name: 'x-api-version', required: true }),
      );
      expect(operation?.requestBody?.content).toHaveProperty(['application/json', 'schema']);
      expect(operation?.responses['200']?.headers).toHaveProperty('X-Request-Id');
      for (const [status, response] of Object.entries(operation?.responses ?? {})) {
        if (status === '200') continue;
        const codes = response.content['application/json']?.schema.properties?.['code']?.enum ?? [];
        expect(codes.length).toBeGreaterThan(0);
        for (const code of codes) expect(errorStatus[code as keyof typeof errorStatus]).toBe(Number(status));
      }
    }
  });

  it('demands the reference unless the setting makes one', () => {
    const requiredBy = (makeReferences: boolean) => {
      const document = JSON.parse(
        JSON.stringify(createOpenApi({ version: '1', makeReferences })),
      ) as Document;
      const body = document.paths['/CreatePayment']?.['post']?.requestBody?.content['application/json'];
      const schema = body?.schema as Schema | undefined;
      return schema?.required;
    };
    expect(requiredBy(false)).toEqual(['amount', 'retrieval_reference_number']);
    expect(requiredBy(true)).toEqual(['amount']);
  });

  it('knows every answer that is given: its status, its code, its fields', async () => {
    const { port, payments } = await startListener();
    const document = await openApi(port);
    await post(port, '/CreatePayment', sale);
    const reference = { retrieval_reference_number: 'A-1' };
    const given = [
      ['/CreatePayment', await post(port, '/CreatePayment', sale)],
      ['/CreatePayment', await post(port, '/CreatePayment', {})],
      ['/QueryPayment', await post(port, '/QueryPayment', reference)],
      ['/QueryPayment', await post(port, '/QueryPayment', { retrieval_reference_number: 'B' })],
      ['/VoidPayment', await post(port, '/VoidPayment', reference)],
      ['/VoidPayment', await post(port, '/VoidPayment', 'x')],
      ['/CancelPayment', await post(port, '/CancelPayment', {})],
      ['/SubmitBatch', await post(port, '/SubmitBatch', {})],
      ['/SubmitBatch', await post(port, '/SubmitBatch', {}, { without: ['x-api-version'] })],
      ['/SubmitBatch', await post(port, '/SubmitBatch', {}, { headers: { origin: 'https://x.example' } })],
      ['/SubmitBatch', await post(port, '/SubmitBatch', {}, { headers: { 'content-type': 'text/plain' } })],
    ] as const;
    for (const [path, answer] of given) {
      const response = document.paths[path]?.['post']?.responses[`${answer.status}`];
      const named = response?.content['application/json']?.schema;
      const schema =
        named?.$ref === undefined ? named : document.components.schemas[named.$ref.split('/').at(-1) ?? ''];
      expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(answer.json)));
      expect(Object.keys(answer.json)).toEqual(expect.arrayContaining(schema?.required ?? ['nothing']));
      const code = answer.json.code ?? null;
      expect([null, ...(schema?.properties?.['code']?.enum ?? [])]).toContain(code);
    }
    expect(payments.asked).not.toEqual([]);
  });

  it('agrees with the code and with docs/http-api.md about the error codes', async () => {
    const { port } = await startListener();
    const document = await openApi(port);
    expect(document.components.schemas['Failure']?.properties?.['code']?.enum).toEqual(errorCodes);
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/http-api.md'), 'utf8');
    expect(docs).toContain(`\n\n${errorTable()}\n`);
  });
});

describe('docs/http-api.md', () => {
  it('shows answers that are as the schemas say', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/http-api.md'), 'utf8');
    const examples = [...docs.matchAll(/```json\n(.*?)```/gs)].map(
      (match) => JSON.parse(match[1] ?? '') as unknown,
    );
    const schemas = [
      createPaymentResponseSchema.strict(),
      queryPaymentResponseSchema.strict(),
      submitBatchResponseSchema.strict(),
      failureResponseSchema.strict(),
      healthResponseSchema.strict(),
    ];
    expect(examples).toHaveLength(schemas.length);
    for (const [index, schema] of schemas.entries())
      expect(schema.safeParse(examples[index]).error).toBeUndefined();
  });
});
