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

const wrongData = 1003;
const tooLarge = 1009;

/** A page with this many unsent bytes gets no more pictures. */
const maxUnsentBytes = 8 * 1024 * 1024;

/** Answers one page's requests and sends it the core's notices. */
export function serveConnection(socket: WebSocket, { answer, notices, log }: IpcCore): void {
  const page = new OpenPage();

  function send(message: HostMessage): void {
    if (socket.readyState !== socket.OPEN) return;
    const packed = packMessage(message);
    const slow = socket.bufferedAmount > maxUnsentBytes;
    if (slow && !('id' in message) && typeof packed !== 'string') return;
    socket.send(packed);
  }

  async function receive(data: RawData, binary: boolean): Promise<void> {
    if (!Buffer.isBuffer(data) || (!binary && data.length > maxTextMessageLength)) {
      socket.close(tooLarge, 'message too large');
      return;
    }
    const message = requestMessage.safeParse(binary ? unpackMessage(data) : parse(data));
    if (!message.success) {
      log.write('warn', 'closed a page connection that sent an invalid request');
      socket.close(wrongData, 'not a Parley request');
      return;
    }
    const { id, request, input } = message.data;
    send({ id, reply: await answer(request, input, page) });
  }

  const batches = new NoticeBatches((batch) => {
    const [only, ...more] = batch;
    if (only !== undefined && more.length === 0) send(only);
    else send({ notices: batch });
  });
  const stopListening = notices.listen((notice, revision, changes) => {
    // Pictures are not batched, so that they can be dropped for a slow page.
    if (notice.name === 'frameSent') send({ notice, revision });
    else batches.add({ notice, revision, changes });
  });
  socket.on('message', (data, binary) => void receive(data, binary));
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
