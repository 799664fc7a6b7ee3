import type { WebSocket } from 'ws';

const pingEveryMs = 20_000;

/** Pings everyone every 20 s and cuts off whoever has not answered by the next time. */
export function keepPinging(clients: ReadonlySet<WebSocket>): () => void {
  const asked = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const client of clients) {
      if (asked.has(client)) {
        client.terminate();
        continue;
      }
      asked.add(client);
      client.once('pong', () => asked.delete(client));
      client.ping();
    }
  }, pingEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
