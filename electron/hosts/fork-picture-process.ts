import { fork } from 'node:child_process';
import type { StartPictureProcess } from '../../shared/ports/pictures.ts';

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

/** What the system's loader needs, and nothing that a person keeps in the environment: tokens stay here. */
const wanted = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

/** The environment of the process that decodes pictures. */
export function pictureEnvironment(
  all: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = all[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
