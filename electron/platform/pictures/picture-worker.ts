import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/harmless-text.ts';
import { PictureDecoder } from './picture-decoder.ts';
import { doPictureWork, type PictureAnswer, type PictureRequest } from './picture-thread.ts';

// The entry of the decoding thread.

const say = (answer: PictureAnswer): void => parentPort?.postMessage(answer, []);

try {
  const decoder = await PictureDecoder.load();
  parentPort?.on('message', (request: PictureRequest) => {
    try {
      say({ tell: 'done', value: doPictureWork(decoder, request) });
    } catch {
      say({ tell: 'broken' });
    }
  });
  say({ tell: 'ready' });
} catch (error) {
  say({ tell: 'unusable', reason: describeError(error) });
}
