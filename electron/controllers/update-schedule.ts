const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** How far apart those are spread who would all ask at once. */
const spreads = { start: 20 * 60_000, checked: 2 * hourMs, failed: hourMs } as const;

/**
 * When a feed is looked at next, by the machine's own clock: once a day, a while after the first start, and after
 * one that failed in a few hours.
 */
export function nextUpdateCheck(
  checkedAt: number | undefined,
  after: keyof typeof spreads,
  now: number,
  dice: number,
): number {
  const spread = dice * spreads[after];
  if (after === 'failed') return now + 2 * hourMs + spread;
  return checkedAt === undefined ? now + spread : checkedAt + dayMs + spread;
}

/** Also where the clock was set back by more than it can be until then. */
export function isUpdateDue(dueAt: number, now: number): boolean {
  return now >= dueAt || dueAt - now > 2 * dayMs;
}
