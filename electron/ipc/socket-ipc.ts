import type { RawData, WebSocket } from 'ws';
import { packFrame, unpackFrame } from '../../../shared/ipc/binary-frame.ts';
import { requestFrame } from '../../../shared/ipc/frames.ts';
import type { ServerFrame } from '../../../shared/ipc/frames.ts';
import { maxTextFrameLength } from '../../../shared/ipc/connection.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { OpenPage } from '../../ipc/open-page.ts';

const wrongData = 1003;
const tooLarge = 1009;

/** Unsent bytes at which a page is so slow that it gets no more pictures to look at. */
const slowPage = 8 * 1024 * 1024;

/** Serves one page: its requests are answered, the core's notices are passed on. */
export function serveConnection(socket: WebSocket, { answer, notices, log }: Parley): void {
  const page = new OpenPage();

  function send(frame: ServerFrame): void {
    if (socket.readyState !== socket.OPEN) return;
    const packed = packFrame(frame);
    const slow = socket.bufferedAmount > slowPage;
    if (slow && 'notice' in frame && typeof packed !== 'string') return;
    socket.send(packed);
  }

  async function receive(data: RawData, binary: boolean): Promise<void> {
    if (!Buffer.isBuffer(data) || (!binary && data.length > maxTextFrameLength)) {
      socket.close(tooLarge, 'too large for a text');
      return;
    }
    const frame = requestFrame.safeParse(binary ? unpackFrame(data) : parse(data));
    if (!frame.success) {
      log.write('warn', 'closed a page connection that sent no request');
      socket.close(wrongData, 'not a request of Parley');
      return;
    }
    const { id, request, input } = frame.data;
    send({ id, reply: await answer(request, input, page) });
  }

  const stopListening = notices.listen((notice, revision) => {
    send({ notice, revision });
  });
  socket.on('message', (data, binary) => void receive(data, binary));
  socket.on('error', (error) => {
    log.write('warn', `a page connection failed: ${error.message}`);
  });
  socket.on('close', () => {
    stopListening();
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
