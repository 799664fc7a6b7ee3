import type { RawData, WebSocket } from 'ws';
import { requestFrame } from '../../../shared/ipc/frames.ts';
import type { ServerFrame } from '../../../shared/ipc/frames.ts';
import type { Parley } from '../../compose.ts';

const wrongData = 1003;

/** Serves one page: its requests are answered, the core's notices are passed on. */
export function serveConnection(socket: WebSocket, { answer, notices, log }: Parley): void {
  function send(frame: ServerFrame): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  }

  async function receive(data: RawData): Promise<void> {
    const frame = requestFrame.safeParse(parse(data));
    if (!frame.success) {
      log.write('warn', 'closed a page connection that sent no request');
      socket.close(wrongData, 'not a request of Parley');
      return;
    }
    const { id, request, input } = frame.data;
    send({ id, reply: await answer(request, input) });
  }

  const stopListening = notices.listen((notice) => {
    send({ notice });
  });
  socket.on('message', (data) => void receive(data));
  socket.on('error', (error) => {
    log.write('warn', `a page connection failed: ${error.message}`);
  });
  socket.on('close', stopListening);
}

function parse(data: RawData): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '');
  } catch {
    return undefined;
  }
}
