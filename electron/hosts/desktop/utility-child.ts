import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { utilityProcess, app, type UtilityProcess } from 'electron';
import type { HostProcesses, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { StartKeyHelper } from '../../../shared/ports/desktop.ts';
import { builtFile } from '../build-info.ts';
import {
  captureLastLine,
  childEnvironment,
  soundProbeEntry,
  type ChildEntry,
} from '../fork-child.ts';

/** Child processes of a host in Electron, where a packaged app has no Node to fork. */
export const utilityProcesses: HostProcesses = {
  startSoundProbe: utilityChild(soundProbeEntry),
};

/**
 * Starts the keyboard hook in a separate process. Without a display, the hook ends the process that it runs in. Code that
 * sees every key should also have no access to tokens and the microphone.
 */
export const startKeyHelper: StartKeyHelper = (chords) =>
  utilityChild(
    { file: builtFile('key-helper.js'), name: 'Parley keys', capturesLastLine: false },
    chords,
  );

/** How long to wait for the last output of a process that has exited. */
const lastLineWaitMs = 200;

function utilityChild<Request>(
  { file, name, capturesLastLine }: ChildEntry,
  ...args: string[]
): StartChildProcess<Request> {
  return ({ onMessage, onEnd }) => {
    const child = utilityProcess.fork(file, args, {
      serviceName: name,
      env: childEnvironment(process.env),
      stdio: ['ignore', 'ignore', capturesLastLine ? 'pipe' : 'ignore'],
    });
    const { stderr } = child;
    const lastLine = captureLastLine(stderr);
    const closed = stderr === null ? undefined : once(stderr, 'close').catch(() => undefined);
    child.on('message', onMessage);
    child.once('exit', (code) => {
      const reportEnd = (): void => onEnd(lastLine() || `exit ${code}`);
      if (closed === undefined) reportEnd();
      else void Promise.race([closed, delay(lastLineWaitMs)]).then(reportEnd);
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
 * Kills with SIGKILL, because a hung process ignores other signals, and no helper has work to finish.
 */
export function killUtilityProcess(child: Pick<UtilityProcess, 'pid' | 'kill'>): void {
  const { pid } = child;
  try {
    if (pid === undefined) child.kill();
    else process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited already.
  }
}

/** The exit code after SIGINT by shell convention: 128 plus the signal's number. */
const interruptedCode = 130;

/**
 * Prepares a command in a package, where Electron runs instead of Node: no window, no page, and no
 * single-instance lock.
 */
export async function prepareCommandProcess(): Promise<HostProcesses> {
  await app.whenReady();
  // Without a listener, Electron would exit with code 0.
  process.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') === 1) app.exit(interruptedCode);
  });
  return utilityProcesses;
}
