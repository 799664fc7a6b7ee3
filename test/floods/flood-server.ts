import type { WebSocket } from 'ws';
import { scriptedServer } from '../fakes/scripted-server.ts';
import type { ScriptedServer } from '../fakes/scripted-server.ts';
import { floodKinds, isFloodName } from './flood-kinds.ts';
import type { FloodName, RepeatedFrame } from './flood-kinds.ts';

/**
 * Accepts every client and answers the first append with the frames of `/<kind>/flood`, `/<kind>/tenth` (a tenth of the
 * flood) or `/<kind>/ordinary`, as fast as the client reads them. Then it ends the session. With `/<kind>/both`, the
 * first session gets the ordinary answer and later ones the flood.
 */
export async function openFloodServer(): Promise<ScriptedServer> {
  let sessions = 0;
  return scriptedServer({
    accepted: (socket, { url = '' }) => {
      const [, kind = '', size] = new URL(url, 'ws://localhost').pathname.split('/');
      const isFlood = size === 'flood' || (size === 'both' && sessions > 0);
      const frames = isFloodName(kind) ? selectFrames(kind, isFlood ? 'flood' : size) : [];
      let answered = false;
      socket.send(JSON.stringify({ type: 'session.queue_done' }));
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { readonly type: string };
        if (type === 'session.init') socket.send(JSON.stringify({ type: 'session.created' }));
        if (!type.startsWith('input') || answered) return;
        answered = true;
        sessions += 1;
        void sendAll(socket, frames);
      });
    },
  });
}

function selectFrames(kind: FloodName, size: string | undefined): readonly RepeatedFrame[] {
  const { flood, ordinary } = floodKinds[kind];
  if (size === 'flood') return flood;
  if (size !== 'tenth') return ordinary;
  return flood.map(({ frame, times }) => ({ frame, times: Math.ceil(times / 10) }));
}

/** Unsent bytes at which the server waits for the client. */
const maxUnsentBytes = 1024 * 1024;

async function sendAll(socket: WebSocket, frames: readonly RepeatedFrame[]): Promise<void> {
  for (const { frame, times } of frames) {
    const compress = frame.length > 2 ** 24;
    for (let count = 0; count < times; count += 1) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount < maxUnsentBytes) socket.send(frame, { compress });
      // `send` calls back when the client has read everything before it; polling would occupy a processor.
      else await new Promise((taken) => socket.send(frame, { compress }, taken));
    }
  }
  socket.send(JSON.stringify({ type: 'session.closed', reason: 'timeout' }));
  socket.close(1000);
}
