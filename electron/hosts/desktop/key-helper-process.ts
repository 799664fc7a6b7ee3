import { fileURLToPath } from 'node:url';
import { utilityProcess } from 'electron';
import type { StartKeyHelper } from '../../ports/key-helper.ts';
import { killUtilityProcess } from './kill-utility-process.ts';

/**
 * In a process of its own: what watches the keyboard ends the whole process where there is no display,
 * and what sees every key is better off without the rights of the one that holds tokens and microphone.
 */
export const startKeyHelper: StartKeyHelper = (chord, events) => {
  const file = fileURLToPath(new URL('./key-helper.js', import.meta.url));
  const child = utilityProcess.fork(file, [chord], {
    serviceName: 'Parley keys',
    stdio: 'ignore',
  });
  child.on('message', events.message);
  child.once('exit', events.exit);
  return {
    kill: () => {
      killUtilityProcess(child);
    },
  };
};
