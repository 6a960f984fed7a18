/**
 * `npm run dev`: the headless bridge, on the simulator, with a console that reloads while its source is edited. The
 * page's strict policy does not hold here, because React's hot reload puts code into the page.
 *
 *     browser ──page──► Vite ──/api/──► the console's port      the link lets this page in instead of the console's own
 *
 * `npm run dev -- --desktop` shows the reloading page in the desktop app instead. Other arguments are those of
 * `tillbridge bridge`; the desktop app takes settings from the environment.
 */
import { createReadStream } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createServer, type ProxyOptions } from 'vite';
import { buildTextFiles } from '../src/contract/console/index.ts';
import { createCliContext, type CliContext } from '../src/headless/cli-context.ts';
import { endBySignal, endWithNpm } from './launch/child.ts';
import { getRuntime, runDesktop } from './launch/electron.ts';
import { buildIfOld, dist, repository, runHeadless, say } from './launch/parts.ts';

const linkPattern = /http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]+/;

endWithNpm();
const commandLine = process.argv.slice(2);
const args = commandLine.filter((argument) => argument !== '--desktop');
process.exitCode = await (args.length < commandLine.length ? desktop() : page());

async function page(): Promise<number> {
  // The console's port is not opened without a built page, although Vite's is shown here.
  await buildIfOld();
  const linked = Promise.withResolvers<URL | null>();
  const context = createCliContext();
  const info: CliContext['info'] = (line, secret) => {
    const link = linkPattern.exec(secret ?? '')?.[0];
    if (link === undefined) context.info(line, secret);
    else linked.resolve(new URL(link));
  };
  const ended = runHeadless(args, { ...context, info }).finally(() => linked.resolve(null));
  const link = await linked.promise;
  if (link === null) return await ended;
  const vite = await servePage(link.origin);
  say(`Console with hot reload: ${vite.origin}/${link.hash}`);
  const code = await ended;
  await vite.close();
  return code;
}

async function desktop(): Promise<number> {
  const runtime = await getRuntime({ environment: process.env, platform: process.platform, say });
  if (runtime.kind === 'stopped') endBySignal(runtime.by);
  if (runtime.kind === 'none') {
    say(runtime.sentence);
    return await page();
  }
  await buildIfOld();
  const vite = await servePage(null);
  const environment = { ...process.env, TILLBRIDGE_DEV_PAGE: vite.origin };
  const end = await runDesktop(runtime.executable, repository, environment);
  await vite.close();
  if (end.kind === 'stopped') endBySignal(end.by);
  if (end.kind === 'ended') return end.code;
  say(end.sentence);
  return await page();
}

/**
 * Vite's page on a port of its own; `consoleOrigin` answers its questions. As a part of our own server: one that Vite
 * opens ends the process on SIGTERM, with the current payment.
 */
async function servePage(consoleOrigin: string | null) {
  const server = createHttpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const vite = await createServer({
    configFile: `${repository}/vite.config.ts`,
    server: {
      middlewareMode: true,
      hmr: { server },
      ...(consoleOrigin === null ? {} : { proxy: proxyTo(consoleOrigin, origin) }),
    },
  });
  server.on('request', (request, response) => {
    if (!sendBuildText(request, response)) vite.middlewares(request, response);
  });
  return {
    origin,
    async close() {
      await vite.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Licences and news are made by the build only; Vite would answer with the page instead. */
function sendBuildText({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  const name = Object.values(buildTextFiles).find((file) => url === `/${file}`);
  if (name === undefined) return false;
  const file = createReadStream(path.join(dist, 'renderer', name));
  file.on('error', () => response.writeHead(404).end());
  file.once('open', () => response.setHeader('content-type', 'application/json'));
  file.pipe(response);
  return true;
}

/** The console lets its own page in alone, and here that is the page of `pageOrigin`; another one stays foreign. */
function proxyTo(consoleOrigin: string, pageOrigin: string): Record<string, ProxyOptions> {
  const options: ProxyOptions = {
    target: consoleOrigin,
    changeOrigin: true,
    configure(proxy) {
      proxy.on('proxyReq', (outgoing, incoming) => {
        if (incoming.headers.origin === pageOrigin) outgoing.setHeader('origin', consoleOrigin);
      });
    },
  };
  return { '/api/': options };
}
