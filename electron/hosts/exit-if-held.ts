import type { Log } from '../ports/log.ts';

/** Longer than what was just closed needs to be gone. */
const defaultAfterMs = 500;

/**
 * Everything that was opened is closed, and the process ends by itself. Where something still holds it, that is named in
 * the log, and it ends all the same: whoever asked for it to end waits for nothing.
 */
export function exitIfHeld(log: Log, afterMs = defaultAfterMs): void {
  const timer = setTimeout(() => {
    log.write(
      'error',
      `this held the process after its end: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit();
  }, afterMs);
  // It is none of what holds.
  timer.unref();
}
