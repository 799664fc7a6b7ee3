import { useEffect, useEffectEvent } from 'react';

/** Hears the keys of the window as long as its component stands, and keeps its place among those who hear them. */
export function useWindowKeydown(
  take: (event: KeyboardEvent) => void,
  { capture = false } = {},
): void {
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => takeNow(event);
    window.addEventListener('keydown', onKeyDown, { capture });
    return () => window.removeEventListener('keydown', onKeyDown, { capture });
  }, [capture]);
}
