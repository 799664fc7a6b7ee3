import type { IncomingMessage } from 'node:http';
import type { SocketEnd } from '../ports/sockets.ts';

/** Enough to say why; some servers answer with a whole page. */
const maxBytes = 2048;
const maxWaitMs = 2000;

/** Reads an HTTP answer to the upgrade: as much as is there soon, and no more than is worth it. */
export function readRefusal(response: IncomingMessage, done: (end: SocketEnd) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let finished = false;
  const finish = (): void => {
    if (finished) return;
    finished = true;
    clearTimeout(patience);
    const body = Buffer.concat(pieces).subarray(0, maxBytes).toString();
    done({ kind: 'refused', status: response.statusCode ?? 0, body: body.trim() });
  };
  const patience = setTimeout(finish, maxWaitMs);
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= maxBytes) finish();
  });
  for (const last of ['end', 'error', 'close']) response.on(last, finish);
}
