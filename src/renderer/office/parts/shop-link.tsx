import type { Place } from '../../../contract/office-page.ts';
import { mainTerminal } from '../../../contract/terminal-name.ts';
import { officeHref } from '../route.ts';

/** The shop, and its terminal where it has more than one. */
export function ShopLink({
  place: { shop_id, shop, terminal },
}: {
  /** `terminal` null: it is about all of the shop. */
  place: Pick<Place, 'shop_id' | 'shop'> & { terminal: string | null };
}) {
  return (
    <>
      <a href={officeHref('overview', shop_id)}>{shop}</a>
      {terminal !== null && terminal !== mainTerminal && <span className="calm"> · {terminal}</span>}
    </>
  );
}
