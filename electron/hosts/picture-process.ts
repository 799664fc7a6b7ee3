import type { PictureRequest } from '../../shared/ports/pictures.ts';
import { composePictureProcess } from '../app/picture-server.ts';

// The entry of the process that decodes pictures: Electron's utility process, or a forked Node.

if ('parentPort' in process) {
  const { parentPort } = process;
  const serve = composePictureProcess((answer) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
    parentPort.postMessage(answer);
  });
  parentPort.on('message', ({ data }) => serve(data as PictureRequest));
} else {
  const forked: NodeJS.Process = process;
  const serve = composePictureProcess((answer) => forked.send?.(answer));
  forked.on('message', (request) => serve(request as PictureRequest));
  // Whoever asked is gone.
  forked.on('disconnect', () => forked.exit());
  // Ctrl-C reaches all that a terminal started; this one ends with its parent.
  forked.on('SIGINT', () => undefined);
}
