// A model server that answers each append at once with text and a second of sound. Prints its port.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const audio = Buffer.from(new Float32Array(24_000).fill(0.1).buffer).toString('base64');
const server = createServer((request, response) => {
  request.resume();
  response.end('{}');
});
const sockets = new WebSocketServer({ server, path: '/backend', perMessageDeflate: false });
sockets.on('connection', (socket) => {
  let step = 0;
  const send = (frame) => socket.send(JSON.stringify(frame));
  socket.on('message', (/** @type {Buffer} */ data) => {
    // A server reads its input, so its parsing is no cost of the gateway.
    /** @type {unknown} */
    const frame = JSON.parse(data.toString());
    if (
      typeof frame === 'object' &&
      frame !== null &&
      'type' in frame &&
      frame.type === 'session.init'
    ) {
      send({ type: 'session.created', session_id: 'instant', mode: 'full_duplex', metrics: {} });
      return;
    }
    step += 1;
    const answer = {
      session_id: 'instant',
      response_id: `instant_resp_${step}`,
      metrics: { kv_cache_length: 500 },
    };
    send({ type: 'response.output.delta', kind: 'text', text: ' so', ...answer });
    send({ type: 'response.output.delta', kind: 'audio', audio, ...answer });
    send({ type: 'response.done', text: ' so', reason: 'turn_end', ...answer });
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send(server.address().port);
});
process.on('disconnect', () => {
  process.exit();
});
