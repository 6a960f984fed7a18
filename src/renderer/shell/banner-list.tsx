/**
 * The banners, the most important first. There is room for one in a low window and for two in any other, so that the
 * page below keeps three quarters of it; how many more there are is said, and one press shows them all.
 */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button.tsx';

/** The same as in `frame.css`. */
const lowWindow = '(height < 44rem)';
/** That of the simulator is always there, and not one of them. */
const notices = '.banner:not(.banner-simulator)';

export function BannerList({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const count = useNoticeCount(list);
  const room = useLowWindow() ? 1 : 2;
  const [opened, setOpened] = useState(false);
  const more = count - room;
  const open = opened && more > 0;
  return (
    <div className="banners" ref={list} data-room={open ? undefined : room} data-open={open}>
      {children}
      {more > 0 && (
        <div className="banners-more">
          <Button
            look="quiet"
            icon={open ? <ChevronUp aria-hidden="true" /> : <ChevronDown aria-hidden="true" />}
            aria-expanded={open}
            onClick={() => setOpened(!open)}
          >
            {open ? t('banner.fewer') : t('banner.more', { count: more })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Each banner knows by itself whether it has something to say; how many are there is read from the page. */
function useNoticeCount(list: React.RefObject<HTMLDivElement | null>): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const look = () => setCount(element.querySelectorAll(`:scope > ${notices}`).length);
    const observer = new MutationObserver(look);
    observer.observe(element, { childList: true });
    look();
    return () => observer.disconnect();
  }, [list]);
  return count;
}

function useLowWindow(): boolean {
  return useSyncExternalStore(subscribeToHeight, () => window.matchMedia(lowWindow).matches);
}

function subscribeToHeight(listener: () => void): () => void {
  const query = window.matchMedia(lowWindow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
