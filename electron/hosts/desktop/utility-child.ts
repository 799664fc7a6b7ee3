import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { utilityProcess, type UtilityProcess } from 'electron';
import type { HostProcesses, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { StartKeyHelper } from '../../../shared/ports/desktop.ts';
import { builtFile } from '../build-info.ts';
import { type ChildEntry, captureLastLine, soundProbeEntry } from '../fork-child.ts';

/** Child processes of a host in Electron: a packaged app has no Node to fork. */
export const utilityProcesses: HostProcesses = {
  startSoundProbe: utilityChild(soundProbeEntry),
};

/**
 * Runs in a separate process: the keyboard hook ends its process without a display, and a program that sees
 * every key should not hold tokens and a microphone.
 */
export const startKeyHelper: StartKeyHelper = (chords) =>
  utilityChild(
    { file: builtFile('key-helper.js'), name: 'Parley keys', capturesLastLine: false },
    chords,
  );

/** Output of an ended process arrives within this time or never. */
const lastLineWaitMs = 200;

function utilityChild<Request>(
  {
    file,
    name,
    environment,
    capturesLastLine,
  }: Omit<ChildEntry, 'environment'> & Partial<ChildEntry>,
  ...args: string[]
): StartChildProcess<Request> {
  return ({ message, ended }) => {
    const child = utilityProcess.fork(file, args, {
      serviceName: name,
      ...(environment === undefined ? {} : { env: environment() }),
      stdio: ['ignore', 'ignore', capturesLastLine ? 'pipe' : 'ignore'],
    });
    const { stderr } = child;
    const lastLine = captureLastLine(stderr);
    const closed = stderr === null ? undefined : once(stderr, 'close').catch(() => undefined);
    child.on('message', message);
    child.once('exit', (code) => {
      const reportEnd = (): void => ended(lastLine() || `exit ${code}`);
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
 * Kills with SIGKILL: a hung process ignores other signals, and none has work to finish. It may have exited
 * already.
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
