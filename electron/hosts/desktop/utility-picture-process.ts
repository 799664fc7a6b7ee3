import { utilityProcess } from 'electron';
import type { StartPictureProcess } from '../../ports/picture-process.ts';
import { pictureEnvironment } from '../picture-environment.ts';
import { killUtilityProcess } from './kill-utility-process.ts';

/** In the packaged app there is no Node to fork: Electron starts the process of the pictures. */
export function utilityPictureProcess(entry: string): StartPictureProcess {
  return ({ message, ended }) => {
    const child = utilityProcess.fork(entry, [], {
      serviceName: 'Parley pictures',
      env: pictureEnvironment(process.env),
      stdio: 'ignore',
    });
    child.on('message', message);
    child.on('exit', ended);
    return {
      post: (request) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
        child.postMessage(request);
      },
      kill: () => {
        killUtilityProcess(child);
      },
    };
  };
}
