import type { WebSocket } from 'ws';

export interface PingTimes {
  /** Silence after which a ping is sent. */
  readonly quietMs: number;
  /** Silence after which the connection counts as dead, even if the system still considers it open. */
  readonly deadMs: number;
}

/** The slowest uplink that is assumed. A ping waits until the messages before it are sent. */
const minBytesPerMs = 32;

export const defaultPingTimes: PingTimes = { quietMs: 3000, deadMs: 9000 };

/**
 * Detects a dead connection by pings, because TCP notices a lost network only after minutes. A missing answer counts only if
 * the server has answered a ping before, because some proxies drop pings. Incoming bytes of an unfinished message count as
 * a sign of life. While a large message is being sent, the limit grows by the time that a slow uplink needs for it.
 *
 * @returns a function that stops the pings
 */
export function watchConnection(
  socket: WebSocket,
  times: PingTimes,
  onDead: () => void,
  bytesRead: () => number = () => 0,
): () => void {
  let lastBytesRead = bytesRead();
  /** The largest send buffer since the last sign of life. */
  let maxBufferedBytes = 0;
  let heardAt = performance.now();
  let hasAnswered = false;
  const onSignOfLife = (): void => {
    heardAt = performance.now();
    maxBufferedBytes = 0;
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
    // After this process was suspended, received data may still be unread.
    if (now - checkedAt > times.quietMs) onSignOfLife();
    checkedAt = now;
    if (bytesRead() > lastBytesRead) onSignOfLife();
    lastBytesRead = bytesRead();
    maxBufferedBytes = Math.max(maxBufferedBytes, socket.bufferedAmount);
    const silentMs = now - heardAt;
    if (hasAnswered && silentMs >= times.deadMs + maxBufferedBytes / minBytesPerMs) onDead();
    else if (silentMs >= times.quietMs) socket.ping();
  }, times.quietMs / 2);
  timer.unref();
  return () => {
    clearInterval(timer);
    socket.off('message', onSignOfLife);
    socket.off('ping', onSignOfLife);
    socket.off('pong', onPong);
  };
}
