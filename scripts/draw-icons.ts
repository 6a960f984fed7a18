/**
 * `node scripts/draw-icons.ts`: draws the app's icon and the tray's pictures with Chromium, from the page's icon
 * and the shapes below. The results are kept in the repository; run it after a change.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';

const build = path.resolve(import.meta.dirname, '../build');
const appIcon = path.resolve(build, '../src/renderer/icon.svg');
const appIconPixels = 1_024;
/** Of a tray icon; `@2x` has twice as many. */
const trayPixels = 16;
/** Windows at 100, 125, 150, 200, 250 and 300 %, for the sizes that it shows: small icons, the task bar, folders. */
const windowsPixels = [16, 20, 24, 32, 40, 48, 64, 256];
const windowsTrayPixels = [16, 20, 24, 32, 40, 48];

/** Told apart by shape, not only by colour; light lines on a filled ground, so that they show on any panel. */
const trayShapes: Record<string, { ground: string; lines: string }> = {
  ready: { ground: '#0f7a5a', lines: '<path d="M4.2 8.4l2.6 2.6 5-5.6"/>' },
  working: { ground: '#1f5fb8', lines: '<path d="M4.4 8h.01M8 8h.01M11.6 8h.01" stroke-width="2.4"/>' },
  attention: { ground: '#b3261e', lines: '<path d="M8 3.8v5M8 11.9h.01" stroke-width="2.2"/>' },
  waiting: { ground: '#8a5a00', lines: '<path d="M8 4.4V8l2.6 1.8"/>' },
  off: { ground: '#5b6470', lines: '<path d="M5 8h6"/>' },
};

const lineStyle = 'fill="none" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"';

const browser = await chromium.launch({
  executablePath: process.env['TILLBRIDGE_CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
mkdirSync(path.join(build, 'tray'), { recursive: true });
const appSvg = readFileSync(appIcon, 'utf8');
await write('icon.png', appSvg, appIconPixels);
await writeIco('icon.ico', appSvg, windowsPixels);
for (const [name, { ground, lines }] of Object.entries(trayShapes)) {
  const coloured = traySvg(
    `<circle cx="8" cy="8" r="7.5" fill="${ground}"/><g stroke="#fff" ${lineStyle}>${lines}</g>`,
  );
  await write(`tray/${name}.png`, coloured, trayPixels);
  await write(`tray/${name}@2x.png`, coloured, trayPixels * 2);
  await writeIco(`tray/${name}.ico`, coloured, windowsTrayPixels);
  // macOS draws it in the colour of its menu bar: only what is seen through matters.
  const template = traySvg(
    `<mask id="m"><rect width="16" height="16" fill="#fff"/><g stroke="#000" ${lineStyle}>${lines}</g></mask>` +
      '<circle cx="8" cy="8" r="7.5" fill="#000" mask="url(#m)"/>',
  );
  await write(`tray/${name}Template.png`, template, trayPixels);
  await write(`tray/${name}Template@2x.png`, template, trayPixels * 2);
}
await browser.close();

function traySvg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${content}</svg>`;
}

async function write(file: string, svg: string, pixels: number): Promise<void> {
  writeFileSync(path.join(build, file), await draw(svg, pixels));
}

/** An icon file of Windows: a directory of 6 bytes and 16 for each picture, then the pictures, each a PNG. */
async function writeIco(file: string, svg: string, sizes: number[]): Promise<void> {
  const pictures: { pixels: number; png: Buffer }[] = [];
  for (const pixels of sizes) pictures.push({ pixels, png: await draw(svg, pixels) });
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { pixels, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 0 stands for 256.
    head.writeUInt8(pixels % 256, at);
    head.writeUInt8(pixels % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  writeFileSync(path.join(build, file), Buffer.concat([head, ...pictures.map(({ png }) => png)]));
}

async function draw(svg: string, pixels: number): Promise<Buffer> {
  await page.setViewportSize({ width: pixels, height: pixels });
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(
    `<body style="margin:0"><img src="${image}" style="display:block;width:${pixels}px;height:${pixels}px">`,
    { waitUntil: 'load' },
  );
  return page.screenshot({ omitBackground: true });
}
