/**
 * The bare thing: `bare-server.ts ANSWER [DATABASE] [PORT]`. Express as its own guide shows it. POST /QueryPayment
 * answers the constant ANSWER (JSON); with a DATABASE, POST /CreatePayment makes one synced insert first. GET /health
 * says what a bridge with an idle terminal says, so that the same till can wait on both.
 */
import express from 'express';

const [answer = '{}', databaseFile = '', port = '0'] = process.argv.slice(2);
const constant: unknown = JSON.parse(answer);
const app = express();

app.post('/QueryPayment', express.json(), (_request, response) => {
  response.json(constant);
});
app.get('/health', (_request, response) => {
  response.json({ terminal: { connection: 'ready' } });
});
if (databaseFile !== '') {
  const { openInsert } = await import('./synced-insert.ts');
  const insert = openInsert(databaseFile);
  app.post('/CreatePayment', express.json(), (request, response) => {
    insert(request.body as Record<string, string>);
    response.json(constant);
  });
}

const server = app.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  console.log(`Listening on http://127.0.0.1:${address.port}`);
});
process.on('disconnect', () => process.exit());
