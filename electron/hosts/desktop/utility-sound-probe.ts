import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { utilityProcess } from 'electron';
import type { StartSoundProbe } from '../../ports/sound-probe.ts';
import { lastWordsOf, soundProbeEnvironment } from '../sound-probe-environment.ts';

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
