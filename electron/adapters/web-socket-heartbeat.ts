import type { WebSocket } from 'ws';

/** When the heartbeat pings, and when a silent connection counts as dead. */
export interface PingTimes {
  /** After so long without a word from the server it is asked for a sign of life. */
  readonly quietMs: number;
  /** Without any sign for so long the connection is dead, whatever the system still thinks of it. */
  readonly deadMs: number;
}

export const defaultPingTimes: PingTimes = { quietMs: 3000, deadMs: 9000 };

/**
 * A network that is gone says nothing: TCP waits for minutes. Heartbeat: pings show it, but only where the server has
 * answered one before: some pass through a proxy that swallows them.
 *
 * @returns what stops it
 */
export function watchConnection(socket: WebSocket, times: PingTimes, dead: () => void): () => void {
  let heardAt = performance.now();
  let answers = false;
  const heard = (): void => {
    heardAt = performance.now();
  };
  const ponged = (): void => {
    answers = true;
    heard();
  };
  socket.on('message', heard);
  socket.on('ping', heard);
  socket.on('pong', ponged);
  socket.ping();
  let lookedAt = heardAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // Whoever was not awake cannot say that nobody spoke: what came meanwhile is read next.
    if (now - lookedAt > times.quietMs) heard();
    lookedAt = now;
    const quiet = now - heardAt;
    if (answers && quiet >= times.deadMs) dead();
    else if (quiet >= times.quietMs) socket.ping();
  }, times.quietMs / 2);
  timer.unref();
  return () => {
    clearInterval(timer);
    socket.off('message', heard);
    socket.off('ping', heard);
    socket.off('pong', ponged);
  };
}
