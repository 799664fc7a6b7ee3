import type { WebSocket } from 'ws';

export interface PingTimes {
  readonly quietMs: number;
  /** Silence after which the connection counts as dead, even if the system still considers it open. */
  readonly deadMs: number;
}

/** The slowest assumed uplink: a ping waits behind a large message. */
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
  onDead: () => void,
  bytesRead: () => number = () => 0,
): () => void {
  let read = bytesRead();
  /** The largest send buffer since the last sign of life. */
  let waiting = 0;
  let heardAt = performance.now();
  let hasAnswered = false;
  const onSignOfLife = (): void => {
    heardAt = performance.now();
    waiting = 0;
  };
  const onPong = (): void => {
    hasAnswered = true;
    onSignOfLife();
  };
  socket.on('message', onSignOfLife);
  socket.on('ping', onSignOfLife);
  socket.on('pong', onPong);
  socket.ping();
  let checkedAt = heardAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // After a sleep of this process, received data may still be unread.
    if (now - checkedAt > times.quietMs) onSignOfLife();
    checkedAt = now;
    if (bytesRead() > read) onSignOfLife();
    read = bytesRead();
    waiting = Math.max(waiting, socket.bufferedAmount);
    const quiet = now - heardAt;
    if (hasAnswered && quiet >= times.deadMs + waiting / slowestBytesPerMs) onDead();
    else if (quiet >= times.quietMs) socket.ping();
  }, times.quietMs / 2);
  timer.unref();
  return () => {
    clearInterval(timer);
    socket.off('message', onSignOfLife);
    socket.off('ping', onSignOfLife);
    socket.off('pong', onPong);
  };
}
