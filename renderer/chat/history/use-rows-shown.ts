import { useCallback, useState } from 'react';

/** More than fit into a window, and few enough to be drawn at once. */
const step = 60;
/** They are there before they are scrolled to. */
const ahead = '600px';

/** How many rows are in the page: more as they are scrolled to, because thousands would hold it up. */
export function useRowsShown(total: number) {
  const [shown, setShown] = useState(step);
  /** Of what stands behind the last row that is shown. */
  const end = useCallback(
    (element: Element | null) => {
      if (element === null) return undefined;
      const watch = new IntersectionObserver(
        (seen) => {
          if (seen.some(({ isIntersecting }) => isIntersecting)) setShown(shown + step);
        },
        { rootMargin: ahead },
      );
      watch.observe(element);
      return () => {
        watch.disconnect();
      };
    },
    [shown],
  );
  return { shown, end: shown < total ? end : undefined };
}
