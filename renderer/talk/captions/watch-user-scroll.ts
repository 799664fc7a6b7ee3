/** A hand that lets go leaves the page rolling for a moment. */
const rollsMs = 1000;
const keys = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;

export interface UserScrollWatch {
  /** It is a person who scrolls at the moment. */
  readonly isScrolling: () => boolean;
  readonly stop: () => void;
}

/**
 * Tells a person's scrolling from that of the page itself: lines that are measured move what stands
 * around them, and the engine reports that in the same words.
 */
export function watchUserScroll(element: HTMLElement, now: () => number): UserScrollWatch {
  const leaving = new AbortController();
  const options = { signal: leaving.signal, passive: true };
  let seenAt = Number.NEGATIVE_INFINITY;
  let holds = false;
  const seen = (): void => {
    seenAt = now();
  };
  element.addEventListener('wheel', seen, options);
  element.addEventListener('touchmove', seen, options);
  element.addEventListener(
    'keydown',
    ({ key }) => {
      if (keys.test(key)) seen();
    },
    options,
  );
  // Held by its bar, it is scrolled for as long as the button is down.
  element.addEventListener(
    'pointerdown',
    () => {
      holds = true;
    },
    options,
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    window.addEventListener(
      end,
      () => {
        holds = false;
      },
      options,
    );
  }
  return {
    isScrolling: () => {
      if (!holds && now() - seenAt > rollsMs) return false;
      seenAt = now();
      return true;
    },
    stop: () => {
      leaving.abort();
    },
  };
}
