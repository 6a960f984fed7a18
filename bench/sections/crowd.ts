/**
 * How long a question about the bridge's health takes at the most while a local process tries to keep everybody out, and
 * whether a till is answered meanwhile: 20 calls of 20 on each address, on new connections, while a payment runs.
 */
import { request } from 'node:http';
import { alternate } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Bench } from '../world/bench.ts';
import { commandHeaders, createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { bridgeArguments, printed, repositoryFile, run, startServer } from '../world/processes.ts';
import { createPayment, newReference, untilReady } from '../world/till.ts';
import type { Section } from './section.ts';

const rounds = 3;
const looksInARound = 30;
const sockets = 1_000;
const calls = 20;
const addresses = ['127.0.0.1', '::1'];
const crowds = (port: number) => [
  { words: 'connections that send one byte', bytes: 'P' },
  {
    words: 'refused requests of a web page',
    bytes: `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n\r\n`,
  },
  {
    words: 'bodies that never come',
    bytes: `POST /CreatePayment HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-api-version: v1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
  },
  {
    words: 'good requests, kept alive',
    bytes: `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  },
];

export const crowdSection: Section = {
  name: 'crowd',
  title: `The slowest of ${looksInARound} answers of /health while a process holds ${sockets.toLocaleString('en-US')} sockets on each address`,
  ours: 'crowd',
  other: 'quiet',
  ratio: 'times quiet',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[]> {
  // The terminal takes its time, so that a payment runs all the while.
  const bridge = await startServer(bench, [...bridgeArguments(bench.folder()), '--pace=1']);
  const comparisons: Comparison[] = [];
  for (const { words, bytes } of crowds(bridge.port)) {
    bench.say(words);
    const pairs = await alternate(
      rounds,
      async () => {
        const crowd = run(
          bench,
          [
            repositoryFile('bench/servers/hostile-crowd.ts'),
            JSON.stringify({ port: bridge.port, size: sockets, bytes }),
          ],
          'pipe',
        );
        await printed(crowd, /Gathered/);
        const caller = createCaller(bridge.port);
        const slowest = await slowestLook(caller);
        caller.close();
        await demandAnswers(bridge.port);
        await crowd.end();
        return slowest;
      },
      async () => {
        const caller = createCaller(bridge.port);
        const slowest = await slowestLook(caller);
        caller.close();
        return slowest;
      },
    );
    comparisons.push(
      compare({ what: `${words}, ms`, pairs, ratio: 'cost', values: 'costs', aim: { atMostMs: 100 } }),
    );
  }
  return comparisons;
}

/** On a connection that is kept, as a till keeps one; a new one waits until the crowd's own before it are accepted. */
async function slowestLook(caller: Caller): Promise<number> {
  await caller.get('/health');
  let slowest = 0;
  for (let look = 0; look < looksInARound; look += 1) {
    slowest = Math.max(slowest, (await caller.get('/health')).tookMs);
  }
  return slowest;
}

/** A payment, and questions about it on new connections while it runs; throws when one is not answered. */
async function demandAnswers(port: number): Promise<void> {
  const caller = createCaller(port);
  await untilReady(caller);
  const reference = newReference();
  const paying = createPayment(caller, reference, 60);
  for (const address of addresses) {
    for (let call = 0; call < calls; call += 1) await query(address, port, reference);
  }
  demandSuccess(await paying);
  caller.close();
}

function query(host: string, port: number, reference: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host, port, path: '/QueryPayment', method: 'POST', agent: false, headers: commandHeaders },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 || response.statusCode === 404
            ? resolve()
            : reject(new Error(`a till was answered with ${response.statusCode}`)),
        );
      },
    );
    sent.on('error', (error) => reject(new Error(`a till was locked out: ${error.message}`)));
    sent.end(JSON.stringify({ retrieval_reference_number: reference }));
  });
}
