import { once } from 'node:events';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

// Model servers of two benches: each answers an append at once. All or half of the steps (`half`) speak for a second, and
// the others listen. Sends the ports to the parent process.

const [count = '8', spoken = 'all'] = process.argv.slice(2);
const round = 8;
const sound = Buffer.from(new Float32Array(24_000).fill(0.1).buffer).toString('base64');

const open = async () => {
  const server = createServer((_request, response) => response.end('{}'));
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    let step = 0;
    /** @param {object} fields */
    const send = (fields) => socket.send(JSON.stringify({ session_id: 's', ...fields }));
    socket.on('message', (/** @type {Buffer} */ data) => {
      if (data.toString('latin1', 0, 40).includes('session.init')) {
        send({ type: 'session.created', mode: 'full_duplex', metrics: {} });
        return;
      }
      step += 1;
      const head = {
        type: 'response.output.delta',
        response_id: `s_resp_${step}`,
        metrics: { kv_cache_length: 100 },
      };
      if (spoken === 'half' && step % round >= round / 2) {
        send({ ...head, kind: 'listen' });
        return;
      }
      const text = 'four words each second ';
      send({ ...head, kind: 'text', text });
      send({ ...head, kind: 'audio', audio: sound });
      send({ ...head, type: 'response.done', text, reason: 'turn_end' });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address?.port;
};

const ports = await Promise.all(Array.from({ length: Number(count) }, open));
process.on('disconnect', () => process.exit());
process.send?.(ports);
