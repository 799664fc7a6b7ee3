import type { Socket } from 'node:net';

/** Nobody has more to say in one line; a sentence with a path in it fits. */
const maxLineLength = 8192;

/** The first line that comes; nothing where none comes in time, or one without an end. */
export function readSocketLine(socket: Socket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let read = '';
    const end = (line: string | undefined): void => {
      clearTimeout(timer);
      resolve(line);
    };
    const timer = setTimeout(() => {
      end(undefined);
    }, timeoutMs);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      read += text;
      const at = read.indexOf('\n');
      if (at !== -1) end(read.slice(0, at));
      else if (read.length > maxLineLength) end(undefined);
    });
    // Each of them may come without the others.
    socket.on('end', () => {
      end(undefined);
    });
    socket.on('error', () => {
      end(undefined);
    });
    socket.on('close', () => {
      end(undefined);
    });
  });
}
