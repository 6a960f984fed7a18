/**
 * The least that brings news into a page: each `POST /pay` is told to every reader of `GET /events` as a server-sent
 * event, and answered.
 *
 *     node event-server.ts
 */
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';

const app = express();
const readers = new Set<Response>();
app.get('/events', (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' });
  response.write('retry: 1000\n\n');
  readers.add(response);
  response.on('close', () => readers.delete(response));
});
app.post('/pay', express.json(), (request, response) => {
  for (const reader of readers) reader.write(`data: ${JSON.stringify(request.body)}\n\n`);
  response.json({ success: true });
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit());
