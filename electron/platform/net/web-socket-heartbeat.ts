import type { WebSocket } from 'ws';

/** When the heartbeat pings, and when a silent connection counts as dead. */
export interface PingTimes {
  /** After so long without a word from the server it is asked for a sign of life. */
  readonly quietMs: number;
  /** Without any sign for so long the connection is dead, whatever the system still thinks of it. */
  readonly deadMs: number;
}

/** The slowest line that a large message may go out on: our ping waits behind it. */
const slowestBytesPerMs = 32;

export const defaultPingTimes: PingTimes = { quietMs: 3000, deadMs: 9000 };

/**
 * A network that is gone says nothing: TCP waits for minutes. Heartbeat: pings show it, but only where the server has
 * answered one before: some pass through a proxy that swallows them. Bytes of a message that is still coming in are a
 * sign of life, and one of ours that is still going out gets the time that a slow line needs for it.
 *
 * @returns what stops it
 */
export function watchConnection(
  socket: WebSocket,
  times: PingTimes,
  dead: () => void,
  bytesRead: () => number = () => 0,
): () => void {
  let read = bytesRead();
  /** The most that waited to go out since the last sign of life. */
  let waiting = 0;
  let heardAt = performance.now();
  let answers = false;
  const heard = (): void => {
    heardAt = performance.now();
    waiting = 0;
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
    if (bytesRead() > read) heard();
    read = bytesRead();
    waiting = Math.max(waiting, socket.bufferedAmount);
    const quiet = now - heardAt;
    if (answers && quiet >= times.deadMs + waiting / slowestBytesPerMs) dead();
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
