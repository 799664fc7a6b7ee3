/** A place in the queue as a page shows it, and counts down from by itself. */
export interface QueueWait {
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** How long it takes from `at` on, smoothed; never below 0. */
  readonly etaSeconds: number | undefined;
  readonly at: number;
  /** The server's own figure, to know the next one for news. */
  readonly toldSeconds: number | undefined;
}

export interface QueueUpdate {
  readonly position?: number | undefined;
  readonly length?: number | undefined;
  readonly etaSeconds?: number | undefined;
}

/** Servers round, and count by the minute: so much is no other estimate. */
const sameSeconds = 3;
const sameShare = 0.15;

/** What is left at a later moment: it runs down to nothing, and never up. */
export function waitSeconds({ etaSeconds, at }: QueueWait, now: number): number | undefined {
  if (etaSeconds === undefined) return undefined;
  return Math.max(0, etaSeconds - Math.max(0, now - at) / 1000);
}

/** The place after news of it. The countdown goes on where the news says nothing new about it. */
export function queueWait(before: QueueWait | undefined, news: QueueUpdate, at: number): QueueWait {
  const running = before === undefined ? undefined : waitSeconds(before, at);
  const told = usable(news.etaSeconds);
  return {
    position: usable(news.position) ?? before?.position,
    length: usable(news.length) ?? before?.length,
    etaSeconds: told === undefined || isOldNews(before, news, told, running) ? running : told,
    at,
    toldSeconds: told ?? before?.toldSeconds,
  };
}

function isOldNews(
  before: QueueWait | undefined,
  { position }: QueueUpdate,
  told: number,
  running: number | undefined,
): boolean {
  if (before === undefined || running === undefined) return false;
  // Many servers go by the place alone and repeat the same figure until it changes.
  const moved = position !== undefined && position !== before.position;
  if (!moved && told === before.toldSeconds) return true;
  return Math.abs(told - running) <= Math.max(sameSeconds, told * sameShare);
}

function usable(figure: number | undefined): number | undefined {
  return figure !== undefined && Number.isFinite(figure) && figure >= 0 ? figure : undefined;
}
