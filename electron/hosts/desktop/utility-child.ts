import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { utilityProcess, type UtilityProcess } from 'electron';
import type { HostProcesses, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { StartKeyHelper } from '../../../shared/ports/desktop.ts';
import { built } from '../built.ts';
import { type ChildEntry, lastWordsIn, soundProbeEntry } from '../fork-child.ts';

/** Those of a host that runs in Electron: in the packaged app there is no Node to fork. */
export const utilityProcesses: HostProcesses = {
  startSoundProbe: utilityChild(soundProbeEntry),
};

/**
 * In a process of its own: what watches the keyboard ends the whole process where there is no display,
 * and what sees every key is better off without the rights of the one that holds tokens and microphone.
 */
export const startKeyHelper: StartKeyHelper = (chord) =>
  utilityChild({ file: built('key-helper.js'), name: 'Parley keys', keepsLastWords: false }, chord);

/** What is still on its way from a process that has ended is there at once, or never. */
const lastWordsWithinMs = 200;

function utilityChild<Request>(
  {
    file,
    name,
    environment,
    keepsLastWords,
  }: Omit<ChildEntry, 'environment'> & Partial<ChildEntry>,
  ...args: string[]
): StartChildProcess<Request> {
  return ({ message, ended }) => {
    const child = utilityProcess.fork(file, args, {
      serviceName: name,
      ...(environment === undefined ? {} : { env: environment() }),
      stdio: ['ignore', 'ignore', keepsLastWords ? 'pipe' : 'ignore'],
    });
    const { stderr } = child;
    const lastWords = lastWordsIn(stderr);
    const closed = stderr === null ? undefined : once(stderr, 'close').catch(() => undefined);
    child.on('message', message);
    child.once('exit', (code) => {
      const tellEnd = (): void => ended(lastWords() || `exit ${code}`);
      if (closed === undefined) tellEnd();
      else void Promise.race([closed, rest(lastWordsWithinMs)]).then(tellEnd);
    });
    return {
      post: (request) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
        child.postMessage(request);
      },
      kill: () => killUtilityProcess(child),
    };
  };
}

/**
 * One that hangs would not hear a kinder word, and none has anything to finish. It may be gone by now without
 * Electron having said so: then there is nothing to be done.
 */
export function killUtilityProcess(child: Pick<UtilityProcess, 'pid' | 'kill'>): void {
  const { pid } = child;
  try {
    if (pid === undefined) child.kill();
    else process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}
