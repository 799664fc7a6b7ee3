import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

// Serves a file of zeros with ranges, and prints its port. Arguments: the size, and the bytes per second.
const [, , sizeText, rateText] = process.argv;
const [size, rate] = [Number(sizeText), Number(rateText)];
const block = Buffer.alloc(256 * 1024);

/** @param {number} bytes */
async function* zeros(bytes) {
  const began = performance.now();
  for (let sent = 0; sent < bytes; sent += block.length) {
    const early = (sent / rate) * 1000 - (performance.now() - began);
    // Timers are up to two milliseconds late, so shorter waits are skipped; the next blocks make up for the error.
    if (early > 2) await delay(early);
    const left = bytes - sent;
    yield left < block.length ? block.subarray(0, left) : block;
  }
}

const server = createServer(({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/u.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': size - from,
    ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
  });
  Readable.from(zeros(size - from), { objectMode: false }).pipe(response);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address?.port}\n`);
});
