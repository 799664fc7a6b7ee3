import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { utilityProcess, type UtilityProcess } from 'electron';
import type { StartKeyHelper } from '../../../shared/ports/desktop.ts';
import type { StartPictureProcess } from '../../../shared/ports/pictures.ts';
import type { StartSoundProbe } from '../../audio/devices/sound-driver.ts';
import { pictureEnvironment } from '../fork-picture-process.ts';
import { lastWordsOf, soundProbeEnvironment } from '../fork-sound-probe.ts';

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

/** What is still on its way from a process that has ended is there at once, or never. */
const lastWordsWithinMs = 200;

/** In the packaged app there is no Node to fork: Electron starts what asks for the sound devices first. */
export function utilitySoundProbe(entry: string): StartSoundProbe {
  return ({ message, ended }) => {
    const child = utilityProcess.fork(entry, [], {
      serviceName: 'Parley sound',
      env: soundProbeEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let written = '';
    const { stderr } = child;
    stderr?.on('data', (text: Buffer) => (written = (written + text.toString()).slice(-2000)));
    const closed = stderr === null ? undefined : once(stderr, 'close').catch(() => undefined);
    child.on('message', message);
    const tellEnd = async (code: number): Promise<void> => {
      await Promise.race([closed, rest(lastWordsWithinMs)]);
      ended(lastWordsOf(written) || `exit ${code}`);
    };
    child.once('exit', (code) => void tellEnd(code));
    return {
      ask: () => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
        child.postMessage('ask');
      },
      kill: () => {
        const { pid } = child;
        // Asked kindly, one whose sound system hangs would stay.
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        else child.kill();
      },
    };
  };
}

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
