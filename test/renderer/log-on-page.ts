/** The page Log as a person sees it. */
import type { Page } from 'playwright';

export const row = (page: Page, id: number) => page.locator(`[data-line="${id}"]`);
export const follow = (page: Page) => page.locator('.log-follow');
export const list = (page: Page) => page.getByRole('listbox', { name: 'Lines of the log' });

/** The numbers of the rows that a person sees, from the top. */
export async function seen(page: Page): Promise<number[]> {
  return list(page).evaluate((element) => {
    const view = element.getBoundingClientRect();
    return [...element.querySelectorAll('[data-line]')]
      .filter((line) => {
        const box = line.getBoundingClientRect();
        return box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
      })
      .map((line) => Number(line.getAttribute('data-line')));
  });
}
