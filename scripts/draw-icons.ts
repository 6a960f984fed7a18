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

/** Told apart by shape, not only by colour; light lines on a filled ground, so that they show on any panel. */
const trayShapes: Record<string, { ground: string; lines: string }> = {
  ready: { ground: '#0f7a5a', lines: '<path d="M4.2 8.4l2.6 2.6 5-5.6"/>' },
  working: { ground: '#1f5fb8', lines: '<path d="M4.4 8h.01M8 8h.01M11.6 8h.01" stroke-width="2.4"/>' },
  attention: { ground: '#b3261e', lines: '<path d="M8 3.8v5M8 11.9h.01" stroke-width="2.2"/>' },
  waiting: { ground: '#8a5a00', lines: '<path d="M8 4.4V8l2.6 1.8"/>' },
  off: { ground: '#5b6470', lines: '<path d="M5 8h6"/>' },
};

const browser = await chromium.launch({
  executablePath: process.env['TILLBRIDGE_CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
mkdirSync(path.join(build, 'tray'), { recursive: true });
await draw(readFileSync(appIcon, 'utf8'), appIconPixels, 'icon.png');
for (const [name, { ground, lines }] of Object.entries(trayShapes)) {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#fff" stroke-width="1.8" ` +
    `stroke-linecap="round" stroke-linejoin="round"><circle cx="8" cy="8" r="7.5" fill="${ground}" stroke="none"/>` +
    `${lines}</svg>`;
  await draw(svg, trayPixels, `tray/${name}.png`);
  await draw(svg, trayPixels * 2, `tray/${name}@2x.png`);
}
await browser.close();

async function draw(svg: string, pixels: number, file: string): Promise<void> {
  await page.setViewportSize({ width: pixels, height: pixels });
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(
    `<body style="margin:0"><img src="${image}" style="display:block;width:${pixels}px;height:${pixels}px">`,
    { waitUntil: 'load' },
  );
  writeFileSync(path.join(build, file), await page.screenshot({ omitBackground: true }));
}
