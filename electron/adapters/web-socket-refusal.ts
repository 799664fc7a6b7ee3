import type { IncomingMessage } from 'node:http';
import type { SocketEnd } from '../ports.ts';

/** Enough to say why; some servers answer with a whole page. */
const mostBytes = 2048;
const longestWait = 2000;

/** Reads an HTTP answer to the upgrade: as much as is there soon, and no more than is worth it. */
export function readRefusal(response: IncomingMessage): Promise<SocketEnd> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(patience);
      const body = Buffer.concat(pieces).subarray(0, mostBytes).toString();
      resolve({ kind: 'refused', status: response.statusCode ?? 0, body: body.trim() });
    };
    const patience = setTimeout(finish, longestWait);
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= mostBytes) finish();
    });
    for (const last of ['end', 'error', 'close']) response.on(last, finish);
  });
}
