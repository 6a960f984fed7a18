/**
 * What a hostile web page tries in a cashier's browser, on the bridge's port and on the console's: by every name that
 * leads to this computer, from pages of every kind of origin. No payment may come of it, nothing may be read, nobody let
 * in, and no caller kept out. What the browser itself would forbid of it is switched off, as in an old one.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListener, type Listener } from '../../src/bridge/listener/index.ts';
import { silentLog } from '../../src/log/index.ts';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { serveConsole, type ServedConsole } from '../../src/headless/console/serve-console.ts';
import { createFakeService } from '../headless/console/fake-service.ts';
import { createMemoryPayments, type MemoryPayments } from '../support/memory-payments.ts';
import { builtRenderer } from '../support/chromium.ts';
import { findChromium } from '../support/find-chromium.ts';
import { needs } from '../support/needs.ts';
import { createRealTime } from '../support/real-time.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);
/** Every name by which a page can reach this computer; `rebound.example` is the attacker's own, with our address. */
const names = [
  '127.0.0.1',
  'localhost',
  'localhost.',
  '127.1',
  '0.0.0.0',
  '2130706433',
  'rebound.example',
].concat(hasIpv6 ? ['[::1]'] : []);
/** Those that attempts of all kinds are made on; the others lead to the same places. */
const fewNames = ['127.0.0.1', 'localhost.', 'rebound.example'];
const posOrigin = 'http://pos.example';

/** A page of the attacker: where it comes from, with the ports of bridge, console and another program put in. */
const pages: [what: string, address: string][] = [
  ['another site', 'http://evil.example/hostile'],
  ['another site, encrypted', 'https://evil.example/hostile'],
  ['a name that leads to the bridge since a moment ago', 'http://rebound.example:BRIDGE/hostile'],
  ['a name that leads to the console since a moment ago', 'http://rebound.example:CONSOLE/hostile'],
  ['another program on this computer', 'http://127.0.0.1:OTHER/hostile'],
];

/** What stands before each attempt. `bridge` and `console_` are lists of origins; what was read goes into `read`. */
const tools = `
  const read = [];
  const sale = JSON.stringify({ amount: '12.00', retrieval_reference_number: 'HOSTILE' });
  const paths = { bridge: ['/CreatePayment', '/VoidPayment', '/SubmitBatch', '/CancelPayment', '/QueryPayment'],
    console: ['/api/submitBatch', '/api/state', '/api/files', '/api/enter'] };
  const readings = { bridge: ['/health', '/openapi.json', '/metrics', '/events'],
    console: ['/', '/index.html', '/icon.svg', '/api/changes', '/api/state'] };
  const everywhere = (kind) => [...everyBridge.flatMap((to) => kind.bridge.map((path) => to + path)),
    ...everyConsole.flatMap((to) => kind.console.map((path) => to + path))];
  const all = (kind) => [...bridge.flatMap((to) => kind.bridge.map((path) => to + path)),
    ...console_.flatMap((to) => kind.console.map((path) => to + path))];
  const within = (ms, work) => Promise.race([work, new Promise((end) => setTimeout(end, ms))]);
  const each = (list, work) => Promise.all(list.map((one) => within(1500, Promise.resolve(one).then(work).catch(() => {}))));
  const keep = async (answer) => { if (answer.type !== 'opaque') read.push(answer.status + ' ' + (await answer.text()).slice(0, 200)); };
  const loaded = (name, set) => new Promise((end) => {
    const element = document.createElement(name);
    element.onload = element.onloadeddata = () => { if (name !== 'iframe' && name !== 'object') read.push(name + ' loaded ' + element.outerHTML); end(); };
    element.onerror = () => end();
    set(element);
    document.body.append(element);
  });
  const post = (type, more) => (to) => fetch(to, { method: 'POST', body: sale, headers: type === null ? {} : { 'content-type': type },
    credentials: 'include', ...more }).then(keep);
  const form = (enctype, target) => (to) => new Promise((end) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: to, enctype, target });
    const field = document.createElement('input');
    Object.assign(field, { name: '{"amount":"12.00","retrieval_reference_number":"HOSTILE","x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    form.submit();
    setTimeout(end, 500);
  });
  const frame = (name, sandbox) => { const element = document.createElement('iframe'); element.name = name;
    if (sandbox !== null) element.setAttribute('sandbox', sandbox); document.body.append(element); return element; };
`;

/** Each is a piece of script for the page. */
const attempts: [what: string, script: string][] = [
  [
    'asks with JSON, as a POS does',
    `await each(everywhere(paths), post('application/json', { headers: { 'content-type': 'application/json', 'x-api-version': 'v1' } }))`,
  ],
  [
    'asks for the console with a secret that it made up',
    `await each(all(paths), post(null, { headers: { 'content-type': 'application/json', authorization: 'Bearer ' + 'A'.repeat(43) } }))`,
  ],
  [
    'posts plain text',
    `await each(all(paths), post('text/plain')); await each(all(paths), post('text/plain; application/json', { mode: 'no-cors' }))`,
  ],
  [
    'posts as a form does',
    `await each(all(paths), post('application/x-www-form-urlencoded', { mode: 'no-cors' })); await each(all(paths), post('multipart/form-data; boundary=x'))`,
  ],
  [
    'posts without a media type',
    `await each(all(paths), (to) => fetch(to, { method: 'POST', mode: 'no-cors', body: new Blob([sale]) }).then(keep))`,
  ],
  [
    'asks without its origin and referrer',
    `await each(all(readings), (to) => fetch(to, { mode: 'no-cors', referrerPolicy: 'no-referrer', credentials: 'include' }).then(keep))`,
  ],
  ['reads', `await each(everywhere(readings), (to) => fetch(to, { credentials: 'include' }).then(keep))`],
  [
    'reads by other methods',
    `await each(all(readings), (to) => each(['HEAD', 'PUT'], (method) => fetch(to, { method }).then(keep)))`,
  ],
  [
    'uses the old request object',
    `await each(all(paths), (to) => new Promise((end) => { const request = new XMLHttpRequest();
    request.withCredentials = true; request.onloadend = () => { if (request.status !== 0) read.push(request.status + ' ' + request.responseText); end(); };
    request.open('POST', to); request.setRequestHeader('content-type', 'text/plain'); request.send(sale); }))`,
  ],
  [
    'sends a beacon',
    `for (const to of all(paths)) for (const type of ['text/plain', 'application/json'])
    { try { navigator.sendBeacon(to, new Blob([sale], { type })); } catch {} }
    await within(800, new Promise(() => {}))`,
  ],
  [
    'sends a form into a frame',
    `all(paths).forEach((to, index) => { frame('sink' + index, null); void form('text/plain', 'sink' + index)(to); });
    await within(1500, new Promise(() => {}))`,
  ],
  [
    'sends a form from a frame without an origin',
    `const boxed = frame('boxed', 'allow-forms allow-scripts');
    boxed.srcdoc = '<form method=post enctype=text/plain action="' + bridge[0] + '/CreatePayment"><input name=\\'{"amount":"12.00","retrieval_reference_number":"HOSTILE","x":"\\' value=\\'"}\\'></form><script>document.forms[0].submit()</' + 'script>';
    await within(1000, new Promise(() => {}))`,
  ],
  [
    'shows pictures, films and fonts',
    `await each(all(readings), (to) => each(['img', 'video'], (name) => loaded(name, (element) => (element.src = to))))`,
  ],
  [
    'runs scripts and takes styles',
    `window.addEventListener('error', (event) => { if (event.filename) read.push('ran ' + event.filename); });
    await each(all(readings), (to) => loaded('script', (element) => (element.src = to)));
    await each(all(readings), (to) => loaded('script', (element) => Object.assign(element, { type: 'module', src: to })));
    await each(all(readings), (to) => loaded('link', (element) => Object.assign(element, { rel: 'stylesheet', href: to })))`,
  ],
  [
    'shows the page in a frame',
    `await each(all(readings), async (to) => { const element = frame('', null);
    await loaded('iframe', (other) => (other.src = to)); element.src = to;
    await within(300, new Promise((end) => (element.onload = end)));
    const text = (() => { try { return element.contentDocument?.body?.innerText ?? ''; } catch { return ''; } })();
    if (text !== '') read.push('frame ' + to + ' ' + text.slice(0, 200)); })`,
  ],
  [
    'listens to events',
    `await each(all(readings), (to) => new Promise((end) => { const source = new EventSource(to, { withCredentials: true });
    source.onopen = () => { read.push('events ' + to); end(); }; source.onmessage = (event) => read.push(event.data);
    source.onerror = () => { source.close(); end(); }; }))`,
  ],
  [
    'opens sockets',
    `await each([...bridge, ...console_], (to) => new Promise((end) => { const socket = new WebSocket(to.replace('http', 'ws') + '/events');
    socket.onopen = () => { read.push('socket ' + to); end(); }; socket.onerror = () => end(); }))`,
  ],
  [
    'has things fetched in advance',
    `for (const to of all(readings)) for (const rel of ['prefetch', 'preload', 'modulepreload', 'prerender', 'icon', 'manifest', 'dns-prefetch'])
    void loaded('link', (element) => Object.assign(element, { rel, href: to, as: 'script' }));
    await within(800, new Promise(() => {})); read.length = 0`,
  ],
  [
    'asks from a worker',
    `await each(all(readings), (to) => new Promise((end) => {
    const worker = new Worker(URL.createObjectURL(new Blob(['try { importScripts(' + JSON.stringify(to) + '); postMessage("ran") } catch (error) { fetch(' + JSON.stringify(to) + ').then((answer) => answer.text().then((text) => answer.status + " " + text)).then(postMessage, () => postMessage(null)) }'])));
    worker.onmessage = ({ data }) => { if (data !== null) read.push(data); worker.terminate(); end(); }; worker.onerror = () => end(); }))`,
  ],
  [
    'installs a worker of its own there',
    `await each(all(readings), (to) => navigator.serviceWorker.register(to).then(() => read.push('installed ' + to)))`,
  ],
  [
    'pings from a link',
    `for (const to of all(paths)) { const link = document.createElement('a'); Object.assign(link, { href: '#', ping: to }); document.body.append(link); link.click(); }
    await within(500, new Promise(() => {}))`,
  ],
  [
    'opens windows and looks into them',
    `for (const to of [bridge[0] + '/health', console_[0] + '/']) { const opened = window.open(to); if (opened === null) continue;
    await within(700, new Promise(() => {})); try { if (opened.document.body.innerText !== '') read.push('window ' + opened.document.body.innerText); } catch {} opened.close(); }`,
  ],
];

/** What a page could see of a port, whatever it may not read; each is a piece of script that gives a text for \`to\`. */
const signs: [what: string, script: string][] = [
  [
    'a request whose answer it cannot read',
    `return fetch(to + '/health', { mode: 'no-cors' }).then(() => 'an answer', () => 'none');`,
  ],
  ['a request that it may not make', `return fetch(to + '/health').then(() => 'an answer', () => 'none');`],
  [
    'a picture',
    `return new Promise((end) => { const image = new Image(); image.onload = () => end('loaded'); image.onerror = () => end('none'); image.src = to + '/icon.svg'; });`,
  ],
  [
    'a script',
    `return new Promise((end) => { const script = document.createElement('script'); script.onload = () => end('loaded'); script.onerror = () => end('none'); script.src = to + '/health'; document.body.append(script); });`,
  ],
  [
    'a style',
    `return new Promise((end) => { const style = document.createElement('link'); style.rel = 'stylesheet'; style.onload = () => end('loaded'); style.onerror = () => end('none'); style.href = to + '/'; document.body.append(style); });`,
  ],
  [
    'a socket',
    `return new Promise((end) => { const socket = new WebSocket(to.replace('http', 'ws') + '/'); socket.onopen = () => end('open'); socket.onclose = ({ code }) => end('' + code); });`,
  ],
  [
    'what the browser has measured',
    `return fetch(to + '/health?measured', { mode: 'no-cors' }).catch(() => {}).then(() => performance.getEntriesByName(to + '/health?measured').map(({ responseStatus, transferSize, nextHopProtocol }) => [responseStatus, transferSize, nextHopProtocol].join()).join());`,
  ],
];

type Serving = Extract<ServedConsole, { kind: 'serving' }>;

describe.skipIf(!needs('chromium'))('a hostile page', () => {
  let browser: Browser;
  let listener: Listener;
  let payments: MemoryPayments;
  let bridgePort = 0;
  let served: Serving;
  let other: Server;
  const service = createFakeService();
  let hostile: Page[] = [];
  /** A port on which nobody listens. */
  let closed = 0;

  beforeAll(async () => {
    const clock = createRealTime();
    payments = createMemoryPayments(clock);
    listener = createListener({
      payments,
      log: silentLog,
      clock,
      chance: systemChance(clock),
      version: '1.2.3',
      port: 0,
      host: null,
      allowedHosts: [],
      allowedOrigins: [posOrigin],
      currency: 'EUR',
      makeReferences: false,
      tokensFile: null,
    });
    const started = await listener.start();
    if (started.kind === 'failed') throw new Error(started.message);
    bridgePort = started.port;
    const options = { service, port: 0, rendererFolder: await builtRenderer(), log: silentLog };
    const result = await serveConsole({ ...options, clock: systemClock, chance: systemChance(systemClock) });
    if (result.kind === 'failed') throw new Error(result.message);
    served = result;
    other = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    const program = await findChromium();
    if (program === null) throw new Error('there is no Chromium here');
    const { args, ...rest } = program;
    browser = await chromium.launch({
      ...rest,
      args: [
        ...args,
        '--host-resolver-rules=MAP *.example 127.0.0.1',
        '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,HttpsUpgrades',
        '--disable-popup-blocking',
        '--allow-running-insecure-content',
      ],
    });
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    closed = (gone.address() as AddressInfo).port;
    gone.close();
    hostile = await Promise.all(pages.map(([, address]) => openPage(address)));
  });
  afterAll(async () => {
    await browser.close();
    await listener.stop();
    await served.close();
    other.close();
  });

  /** A page at `address`, whose content is the attacker's, whoever listens there. */
  async function openPage(address: string): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await context.route(/\/hostile$/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    );
    const page = await context.newPage();
    const { port } = other.address() as AddressInfo;
    const ports = { BRIDGE: bridgePort, CONSOLE: served.port, OTHER: port };
    await page.goto(
      address.replace(/BRIDGE|CONSOLE|OTHER/, (name) => `${ports[name as keyof typeof ports]}`),
    );
    return page;
  }

  async function run(page: Page, script: string): Promise<string[]> {
    const at = (port: number, of: string[]) => JSON.stringify(of.map((name) => `http://${name}:${port}`));
    const lists = `const bridge = ${at(bridgePort, fewNames)}; const console_ = ${at(served.port, fewNames)};
      const everyBridge = ${at(bridgePort, names)}; const everyConsole = ${at(served.port, names)};`;
    return page.evaluate<string[]>(`(async () => { ${lists} ${tools} ${script}; return read; })()`);
  }

  it.each(attempts)('gets nothing when it %s', async (_what, script) => {
    const read = await Promise.all(hostile.map((page) => run(page, script)));
    expect(read.flat().filter((text) => !isRefusalOfAName(text))).toEqual([]);
    expect(payments.asked).toEqual([]);
    expect(service.asked).toEqual([]);
    expect(service.listeners()).toBe(0);
  });

  it.each(signs)('cannot tell the ports from one where nobody is by %s', async (_what, sign) => {
    for (const page of hostile.slice(0, 2)) {
      const told = await page.evaluate<string[]>(
        `Promise.all([${closed}, ${bridgePort}, ${served.port}].map((port) => { const to = 'http://127.0.0.1:' + port; ${sign} }))`,
      );
      expect(told).toEqual([told[0], told[0], told[0]]);
    }
  });

  it('keeps no POS out with all the connections that it can open', async () => {
    const script = `for (let round = 0; round < 20; round += 1) for (const to of everyBridge) {
        fetch(to + '/health').catch(() => {}); new EventSource(to + '/events'); try { new WebSocket(to.replace('http', 'ws') + '/x'); } catch {} }`;
    await Promise.all(hostile.map((page) => run(page, script)));
    const answers = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${bridgePort}/health`));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
  });

  it('would be let in from an origin on the list: these attempts do arrive', async () => {
    const page = await openPage(`${posOrigin}/hostile`);
    const asks = `await post('application/json', { headers: { 'content-type': 'application/json', 'x-api-version': 'v1' },
      credentials: 'omit' })(bridge[0] + '/CreatePayment')`;
    expect(await run(page, asks)).toEqual([expect.stringContaining('200 {"success":true')]);
    expect(payments.asked).toEqual(['createPayment']);
  });
});

/** A page under a name of its own may read that nobody here has this name. */
function isRefusalOfAName(text: string): boolean {
  return /^403 ($|.*(is not called|answers to no other name))/s.test(text);
}
