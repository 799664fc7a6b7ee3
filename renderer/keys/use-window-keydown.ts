import { useEffect, useEffectEvent } from 'react';

/** Listens on the window while the component is mounted. The listener keeps its order when `take` changes. */
export function useWindowKeydown(
  onKeydown: (event: KeyboardEvent) => void,
  { capture = false } = {},
): void {
  const takeNow = useEffectEvent(onKeydown);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => takeNow(event);
    window.addEventListener('keydown', onKeyDown, { capture });
    return () => window.removeEventListener('keydown', onKeyDown, { capture });
  }, [capture]);
}
