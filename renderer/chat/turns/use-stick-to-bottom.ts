import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as the end. */
const edge = 48;

/**
 * Keeps the end of what grows in sight, until the person scrolls up. Only a way up counts as that: what
 * grows between two looks is no intent to stay behind.
 */
export function useStickToBottom(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const [away, setAway] = useState(false);
  const top = useRef(0);
  const before = useRef(count);

  const toEnd = useCallback((): void => {
    setAway(false);
    const element = scroller.current;
    if (element === null) return;
    element.scrollTo({ top: element.scrollHeight, behavior: 'instant' });
    top.current = element.scrollTop;
  }, []);
  /** To one of what stands there, which is not the end. */
  const toPlace = useCallback((index: number): void => {
    const place = content.current?.children.item(index);
    const element = scroller.current;
    if (place === null || place === undefined || element === null) return;
    setAway(true);
    place.scrollIntoView({ block: 'start', behavior: 'instant' });
    top.current = element.scrollTop;
  }, []);
  const scrolled = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const rest = scrollHeight - scrollTop - clientHeight;
    if (rest <= edge) setAway(false);
    else if (scrollTop < top.current - 1) setAway(true);
    top.current = scrollTop;
  };

  useLayoutEffect(() => {
    // Whoever asks wants to see what becomes of it.
    if (!away || count > before.current) toEnd();
    before.current = count;
  }, [count, away, toEnd]);
  useEffect(() => {
    if (away || scroller.current === null) return undefined;
    const resized = new ResizeObserver(toEnd);
    resized.observe(scroller.current);
    if (content.current !== null) resized.observe(content.current);
    return () => {
      resized.disconnect();
    };
  }, [away, toEnd]);
  return { scroller, content, away, toEnd, toPlace, scrolled };
}
