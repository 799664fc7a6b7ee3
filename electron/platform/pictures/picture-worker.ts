import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/errors/app-error.ts';
import { PictureDecoder } from './picture-decoder.ts';
import { runPictureRequest, type PictureAnswer, type PictureRequest } from './picture-thread.ts';

// The entry of the thread that decodes, scales and encodes pictures.

const post = (answer: PictureAnswer): void => parentPort?.postMessage(answer, []);

try {
  const decoder = await PictureDecoder.load();
  parentPort?.on('message', (request: PictureRequest) => {
    try {
      const value = runPictureRequest(decoder, request);
      post({ kind: 'done', value, isLast: decoder.hasOutgrown() });
    } catch {
      post({ kind: 'broken', isLast: decoder.hasOutgrown() });
    }
  });
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'unusable', reason: describeError(error) });
}
