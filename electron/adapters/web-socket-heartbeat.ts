import type { WebSocket } from 'ws';

export interface PingTimes {
  /** After so long without a word from the server it is asked for a sign of life. */
  readonly quietMs: number;
  /** Without any sign for so long the line is dead, whatever the system still thinks of it. */
  readonly deadMs: number;
}

export const defaultPingTimes: PingTimes = { quietMs: 5000, deadMs: 15_000 };

/**
 * A network that is gone says nothing: TCP waits for minutes. Pings tell, but only where the server has
 * answered one before: some pass through a proxy that swallows them.
 *
 * @returns what stops it
 */
export function watchConnection(line: WebSocket, times: PingTimes, dead: () => void): () => void {
  let heardAt = performance.now();
  let answers = false;
  const heard = (): void => {
    heardAt = performance.now();
  };
  const ponged = (): void => {
    answers = true;
    heard();
  };
  line.on('message', heard);
  line.on('ping', heard);
  line.on('pong', ponged);
  line.ping();
  let lookedAt = heardAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // Whoever was not awake cannot say that nobody spoke: what came meanwhile is read next.
    if (now - lookedAt > times.quietMs) heard();
    lookedAt = now;
    const quiet = now - heardAt;
    if (answers && quiet >= times.deadMs) dead();
    else if (quiet >= times.quietMs) line.ping();
  }, times.quietMs / 2);
  timer.unref();
  return () => {
    clearInterval(timer);
    line.off('message', heard);
    line.off('ping', heard);
    line.off('pong', ponged);
  };
}
