/** A walk through a page with Tab alone, and back with Shift+Tab: what it comes to, and what it ought to come to. */
import type { Page } from 'playwright';

/** A place at which Tab stops. */
interface Stop {
  /** Among all that can be reached, in the order of the page; -1: nobody expected it. */
  place: number;
  what: string;
  /** Why it cannot be seen that it has the focus; empty when it can. */
  unseen: string;
}

/**
 * Marks what Tab has to reach, in the order of the page: all that can be pressed, written in or chosen from, one of each
 * group of radio buttons. Of a page below a modal dialog it is nothing.
 */
const markAll = `(() => {
  for (const marked of document.querySelectorAll('[data-walk]')) marked.removeAttribute('data-walk');
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const all = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';
  const stops = [...within.querySelectorAll(all)]
    .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => {
      if (element.type !== 'radio') return true;
      const group = [...document.getElementsByName(element.name)];
      return element === (group.find((one) => one.checked) ?? group[0]);
    });
  stops.forEach((element, index) => element.setAttribute('data-walk', String(index)));
  return stops.length;
})()`;

/** What has the focus. Its ring is at least two pixels wide, in the window, and below nothing. */
const look = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body || element.id === 'walk-end') return null;
  // One that scrolls takes the focus before Shift+Tab leaves it.
  if (element.localName === 'dialog') return null;
  const unseen = () => {
    // Drawn by what stands around or beside it, or by the row that the keys begin with.
    const drawn = [element, element.nextElementSibling, element.parentElement, element.closest('label'), element.querySelector('[data-active="true"]')];
    const ring = drawn.some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    if (!ring) return 'no ring';
    const own = element.closest('label') ?? element;
    const { left, top, right, bottom, width, height } = own.getBoundingClientRect();
    const isLarge = height > innerHeight / 2 || width > innerWidth / 2;
    if (isLarge) return '';
    if (top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1) return 'outside the window';
    const covers = (share) => {
      const above = document.elementFromPoint(left + width * share, top + height / 2);
      return above !== null && !own.contains(above) && !above.contains(own);
    };
    return [0.1, 0.5, 0.9].every(covers) ? 'below something' : '';
  };
  // Of radio buttons of which none is chosen, Tab comes to the first and Shift+Tab to the last.
  const group = element.type === 'radio' ? [...document.getElementsByName(element.name)] : [element];
  const marked = group.find((one) => one.dataset.walk !== undefined);
  const what = element.tagName.toLowerCase() + ' ' + element.textContent.trim().slice(0, 40);
  return { place: Number(marked?.dataset.walk ?? -1), what, unseen: unseen() };
})()`;

/** Before all that can be reached, as in a page that has just been opened; or behind it. */
const toEnd = (put: 'prepend' | 'append') => `(() => {
  const end = document.createElement('span');
  end.id = 'walk-end';
  end.tabIndex = 0;
  document.body.${put}(end);
  end.focus();
})()`;

interface Walk {
  /** Of all that has to be reached, in the order of the page. */
  names: string[];
  stops: Stop[];
}

/** From the start of the page, or in a modal dialog from where the focus is, until Tab leaves. */
export async function walkThere(page: Page): Promise<Walk> {
  const names = await namesOf(page, await page.evaluate<number>(markAll));
  if (!(await isInDialog(page))) await page.evaluate(toEnd('prepend'));
  return { names, stops: await stopsOf(page, 'Tab', names.length) };
}

/** From the end of the page, or from the last thing of a modal dialog, until Shift+Tab leaves. */
export async function walkBack(page: Page): Promise<Walk> {
  const names = await namesOf(page, await page.evaluate<number>(markAll));
  if (await isInDialog(page)) await page.locator(`[data-walk="${names.length - 1}"]`).focus();
  else await page.evaluate(toEnd('append'));
  return { names, stops: await stopsOf(page, 'Shift+Tab', names.length) };
}

function isInDialog(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`document.querySelector('dialog[open]') !== null`);
}

async function stopsOf(page: Page, key: 'Tab' | 'Shift+Tab', count: number): Promise<Stop[]> {
  const stops: Stop[] = [];
  const first = await page.evaluate<Stop | null>(look);
  if (first !== null) stops.push(first);
  // A date has several parts, each with a stop of its own.
  for (let steps = 0; steps < maxSteps; steps += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate<Stop | null>(look);
    if (stop === null) break;
    const last = stops.at(-1);
    if (last?.place === stop.place && last.what === stop.what) continue;
    stops.push(stop);
    if (stops.length > count + 2) break;
  }
  await page.evaluate(`document.getElementById('walk-end')?.remove()`);
  return stops;
}

const maxSteps = 300;

/** "button: Resolve", as a screen reader has them, by place. */
async function namesOf(page: Page, count: number): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { root } = await session.send('DOM.getDocument', { depth: 0 });
    const names: string[] = [];
    for (let place = 0; place < count; place += 1) {
      const selector = `[data-walk="${place}"]`;
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { nodes } = await session.send('Accessibility.getPartialAXTree', {
        nodeId,
        fetchRelatives: false,
      });
      names.push(`${String(nodes[0]?.role?.value)}: ${String(nodes[0]?.name?.value ?? '').trim()}`);
    }
    return names;
  } finally {
    await session.detach();
  }
}
