import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a screen that nobody sees, for windows of tests.
 * @param {string} xvfb the program
 * @param {{ size?: string, memoryFolder?: string }} [options] in that folder its picture lies as a file, for who looks from outside
 * @returns {Promise<{ display: string, stop: () => void }>}
 */
export const startVirtualScreen = async (xvfb, { size = '1600x1000', memoryFolder } = {}) => {
  const memory = memoryFolder === undefined ? [] : ['-fbdir', memoryFolder, '-nocursor'];
  const child = spawn(
    xvfb,
    ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp', '-noreset', ...memory],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const pipe = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the virtual screen ended before it was ready');
  });
  // It writes the number of the display it found free, once it is ready for windows.
  const ready = once(createInterface(pipe), 'line');
  const [number] = /** @type {[string]} */ (await Promise.race([ready, ended]));
  ended.catch(() => undefined);
  child.unref();
  pipe.destroy();
  return {
    display: `:${number.trim()}`,
    stop: () => {
      child.kill('SIGTERM');
    },
  };
};
