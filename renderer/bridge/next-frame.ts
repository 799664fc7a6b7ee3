/** A page that is not drawn has no frames, and still has to be told. */
const unseenMs = 100;

/** Runs once, before the next time the page is drawn. */
export function nextFrame(run: () => void): void {
  const once = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, unseenMs);
}
