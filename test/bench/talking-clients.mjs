import { WebSocket } from 'ws';

// The clients of gateway-backends.bench.ts: each speaks for a second, pauses, listens to the answer and repeats, with an
// append per second.

const [url = '', count = '50', compressed = 'false'] = process.argv.slice(2);
const round = 8;
const counts = { appends: 0, sound: 0, listens: 0, worst: 0 };

/** @param {boolean} loud */
const second = (loud) => {
  const samples = new Float32Array(16_000);
  for (let at = 0; at < samples.length; at += 1)
    samples[at] = (Math.random() - 0.5) * (loud ? 0.5 : 0.002);
  return Buffer.from(samples.buffer).toString('base64');
};
const speech = second(true);
const quiet = second(false);

/** @param {number} nr */
const open = (nr) => {
  const socket = new WebSocket(`${url}?mode=audio`, { perMessageDeflate: compressed === 'true' });
  /** @type {number[]} */
  const sent = [];
  let step = nr % round;
  const append = () => {
    const audio = step % round === 0 ? speech : quiet;
    step += 1;
    counts.appends += 1;
    sent.push(performance.now());
    socket.send(JSON.stringify({ type: 'input.append', input: { audio } }));
  };
  socket.on('message', (/** @type {Buffer} */ data) => {
    const head = data.toString('latin1', 0, 200);
    if (head.includes('queue_done')) socket.send('{"type":"session.init","payload":{}}');
    if (head.includes('session.created')) {
      setTimeout(() => {
        append();
        setInterval(append, 1000);
      }, nr * 20);
    }
    const sound = head.includes('"kind":"audio"');
    const listen = head.includes('"kind":"listen"');
    if (sound) counts.sound += 1;
    if (listen) counts.listens += 1;
    if (sound || listen) {
      // The `listen` that ends a turn follows its sound and does not answer an append.
      const at = sent.shift();
      if (at !== undefined) counts.worst = Math.max(counts.worst, performance.now() - at);
    }
  });
};

for (let nr = 0; nr < Number(count); nr += 1) open(nr);
process.on('message', () => process.send?.(counts));
process.on('disconnect', () => process.exit());
process.send?.('open');
