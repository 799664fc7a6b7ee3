import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { packMessage, unpackMessage } from '../../../shared/ipc/binary-message.ts';
import { type HostMessage, maxTextMessageLength } from '../../../shared/ipc/bridge.ts';
import { OpenPage } from '../../../shared/ipc/page.ts';
import { NoticeBatches } from './notice-batches.ts';
import type { IpcCore } from './request-dispatcher.ts';

/** A request on the loopback WebSocket. The request's schema checks `input` later. */
const requestMessage = z.strictObject({
  id: z.number().int().nonnegative(),
  request: z.string().max(64),
  input: z.unknown().optional(),
});

/** Close codes of RFC 6455. */
const unsupportedData = 1003;
const messageTooBig = 1009;

/** While more than this many bytes for a page are unsent, notices with pictures are dropped for it. */
const maxUnsentBytes = 8 * 1024 * 1024;

/** Answers the requests of a page on a WebSocket, and sends it all notices. */
export function serveConnection(socket: WebSocket, { answer, notices, log }: IpcCore): void {
  const page = new OpenPage();

  function send(message: HostMessage): void {
    if (socket.readyState !== socket.OPEN) return;
    const packed = packMessage(message);
    const isSlow = socket.bufferedAmount > maxUnsentBytes;
    if (isSlow && !('id' in message) && typeof packed !== 'string') return;
    socket.send(packed);
  }

  async function receive(data: RawData, isBinary: boolean): Promise<void> {
    if (!Buffer.isBuffer(data) || (!isBinary && data.length > maxTextMessageLength)) {
      socket.close(messageTooBig, 'message too large');
      return;
    }
    const message = requestMessage.safeParse(isBinary ? unpackMessage(data) : parse(data));
    if (!message.success) {
      log.write('warn', 'closed a page connection that sent an invalid request');
      socket.close(unsupportedData, 'not a Parley request');
      return;
    }
    const { id, request, input } = message.data;
    send({ id, reply: await answer(request, input, page) });
  }

  const batches = new NoticeBatches((batch) => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) send(first);
    else send({ notices: batch });
  });
  const stopListening = notices.listen((notice, revision, changes) => {
    // Pictures are not batched, so that they can be dropped for a slow page.
    if (notice.name === 'frameSent') send({ notice, revision });
    else batches.add({ notice, revision, changes });
  });
  socket.on('message', (data, isBinary) => void receive(data, isBinary));
  socket.on('error', (error) => log.write('warn', `a page connection failed: ${error.message}`));
  socket.on('close', () => {
    stopListening();
    batches.end();
    page.gone();
  });
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8'));
  } catch {
    return undefined;
  }
}
