import { fork } from 'node:child_process';
import type { StartPictureProcess } from '../ports/picture-process.ts';
import { pictureEnvironment } from './picture-environment.ts';

/** For hosts that run in Node: the process of the pictures is another Node. */
export function forkPictureProcess(entry: string): StartPictureProcess {
  return ({ message, ended }) => {
    const child = fork(entry, [], {
      // Bytes go as bytes.
      serialization: 'advanced',
      execArgv: [],
      env: pictureEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', message);
    child.on('exit', ended);
    child.on('error', ended);
    // It is no reason for a command to stay: whoever waits for a picture has a timer.
    child.unref();
    child.channel?.unref();
    return {
      // What cannot be sent any more is told by its end.
      post: (request) => child.send(request, () => undefined),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
