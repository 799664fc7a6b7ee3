import type { RawData, WebSocket } from 'ws';
import { maxClientMessageBytes } from '../../../shared/protocol/protocol-limits.ts';
import type { Log } from '../../ports/log.ts';
import type { ConnectionHandler, ClientSocket } from '../../gateway/gateway.ts';
import { limitMessages } from './message-limit.ts';

/** A close frame has room for 123 bytes; our reasons are plain ASCII. */
const maxReasonBytes = 123;

/** Who reads no more is cut off before what waits for them fills the memory. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Joins one WebSocket to the gateway until either of them ends. */
export function serveClient(
  socket: WebSocket,
  connect: (socket: ClientSocket) => ConnectionHandler,
  log: Log,
): void {
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  /** How much of what was said is still on its way out, and whether nothing more is to follow. */
  let sending = 0;
  let hangingUp = false;

  function sent(): void {
    sending -= 1;
    if (hangingUp && sending === 0) socket.terminate();
  }

  const caller = connect({
    send: (text) => {
      if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
      else if (isOpen()) {
        sending += 1;
        socket.send(text, sent);
      }
    },
    sendBinary: (bytes) => {
      if (isOpen()) socket.send(bytes, { binary: true });
    },
    close: (code, reason) => {
      socket.close(code, reason.slice(0, maxReasonBytes));
    },
    terminate: () => {
      hangingUp = true;
      if (sending === 0) socket.terminate();
    },
    takeLargeMessages: () => {
      limitMessages(socket, maxClientMessageBytes);
    },
  });
  socket.on('message', (data, isBinary) => {
    caller.receive(isBinary ? undefined : textOf(data));
  });
  socket.on('error', (error) => {
    log.write('warn', `a connection to the embedded gateway failed: ${error.message}`);
  });
  socket.on('close', () => {
    caller.disconnected();
  });
}

function textOf(data: RawData): string {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  return Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data)]).toString('utf8');
}
