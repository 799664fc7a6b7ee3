import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a virtual screen for windows of tests.
 * @param {string} xvfb the program's path
 * @param {{ size?: string, memoryFolder?: string }} [options] `memoryFolder` gets a file with the screen's pixels
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
  // Xvfb writes its display number when it is ready for windows.
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
